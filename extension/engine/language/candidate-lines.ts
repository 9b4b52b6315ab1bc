/** Maximum number of lines searched per text. A sentence of common words matches many lines and says little. */
export const maxLinesSearched = 120;

/**
 * Lines that may contain at least `least` of these words, most likely first. Such a line contains one of the
 * `words.length - least + 1` rarest words, so the common words need no look-up.
 */
export function candidateLines(
  words: readonly string[],
  least: number,
  linesWith: ReadonlyMap<string, readonly number[]>,
): number[] {
  const lines = words.map((word) => linesWith.get(word) ?? []);
  const rarest = lines.sort((a, b) => a.length - b.length).slice(0, words.length - least + 1);
  const candidates = new Set<number>();
  for (const line of firstOf(rarest)) {
    candidates.add(line);
    if (candidates.size === maxLinesSearched) break;
  }
  return [...candidates];
}

function* firstOf(lists: readonly (readonly number[])[]): Generator<number> {
  let left = maxLinesSearched * 2;
  for (const list of lists) {
    for (const line of list) {
      if (left === 0) return;
      left -= 1;
      yield line;
    }
  }
}

/** So many lines at most are looked at for one text: a sentence of words that stand everywhere tells little. */
export const mostLinesLookedAt = 120;

/**
 * Lines that could have so many of these words, the likeliest first. What has `least` of them has one of the rarest, so
 * the words that stand everywhere are never looked up for what has a rare one.
 */
export function likelyLines(
  words: readonly string[],
  least: number,
  linesWith: ReadonlyMap<string, readonly number[]>,
): number[] {
  const lines = words.map((word) => linesWith.get(word) ?? []);
  const rarest = lines.sort((a, b) => a.length - b.length).slice(0, words.length - least + 1);
  const likely = new Set<number>();
  for (const line of firstOf(rarest)) {
    likely.add(line);
    if (likely.size === mostLinesLookedAt) break;
  }
  return [...likely];
}

function* firstOf(lists: readonly (readonly number[])[]): Generator<number> {
  let left = mostLinesLookedAt * 2;
  for (const list of lists) {
    for (const line of list) {
      if (left === 0) return;
      left -= 1;
      yield line;
    }
  }
}

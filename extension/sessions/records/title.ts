const longestTitle = 80;

/** The first line that is not empty, shortened for lists; null if there is none. */
export function titleOf(text: string): string | null {
  const line = text
    .slice(0, 10_000)
    .split('\n')
    .map((candidate) => candidate.trim())
    .find((candidate) => candidate !== '');
  if (line === undefined) return null;
  // By code points, so that no surrogate pair is cut in two.
  const characters = Array.from(line.slice(0, longestTitle * 2));
  return characters.length <= longestTitle ? line : `${characters.slice(0, longestTitle - 1).join('')}…`;
}

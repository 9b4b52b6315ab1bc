const longestTitle = 80;

const headingMark = /^#{1,6}\s+/;

/**
 * The subject of a text, shortened for lists; null if it is empty. It is the first line, except that a line that ends with a colon gives
 * way to the heading that it introduces, and is joined by any other line.
 */
export function titleOf(text: string): string | null {
  const [first, second] = text
    .slice(0, 10_000)
    .split('\n')
    .map((candidate) => candidate.trim())
    .filter((candidate) => candidate !== '');
  if (first === undefined) return null;
  return shortened(titleOfLines(first, second));
}

function titleOfLines(first: string, second: string | undefined): string {
  const plain = first.replace(headingMark, '');
  if (second === undefined || !plain.endsWith(':')) return plain;
  return headingMark.test(second) ? second.replace(headingMark, '') : `${plain} ${second}`;
}

function shortened(line: string): string {
  // By code points, so that no surrogate pair is cut in two.
  const characters = Array.from(line.slice(0, (longestTitle + 1) * 2));
  return characters.length <= longestTitle ? line : `${characters.slice(0, longestTitle - 1).join('')}…`;
}

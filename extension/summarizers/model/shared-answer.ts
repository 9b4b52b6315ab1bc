import { namesIn } from '../../engine/language/names';

/**
 * Parts an answer at its marker lines. Returns the text of each block, or null where the answer has none. If a number
 * occurs twice, is out of order or belongs to no block, it is unclear which text belongs where, and all are null.
 */
export function partsOf(answer: string, { count, mark }: { count: number; mark: string }): (string | null)[] {
  const found = [...answer.matchAll(markerPattern(mark))];
  const numbers = found.map(([, number]) => Number(number));
  const parts = new Array<string | null>(count).fill(null);
  if (!numbers.every((number, at) => number > (numbers[at - 1] ?? 0) && number <= count)) return parts;
  for (const [at, { index, 0: line }] of found.entries()) {
    const text = answer.slice(index + line.length, found[at + 1]?.index).trim();
    parts[(numbers[at] ?? 0) - 1] = text === '' ? null : text;
  }
  return parts;
}

/** The text of the newest block in an answer that is still being written. */
export function newestPart(answer: string, mark: string): string {
  const last = [...answer.matchAll(markerPattern(mark))].at(-1);
  return last ? answer.slice(last.index + last[0].length).trimStart() : '';
}

/** The line may carry marks of a heading or of emphasis. */
function markerPattern(mark: string): RegExp {
  return new RegExp(`^[ \\t#>*_\`]*=+[ \\t]*BLOCK[ \\t]+(\\d+)[ \\t]+${mark}\\b[ \\t=*_\`]*$`, 'gim');
}

/** Names that only another block has. One may come from the model's own knowledge of the work. */
const toleratedForeign = 1;

/** Whether a part tells of another block: it has names of others that its own record lacks, more than of its own. */
export function isOfAnotherBlock(part: string, own: number, records: readonly string[]): boolean {
  const names = [...new Set(namesIn(part).map(({ text }) => text))];
  const isInOwn = (name: string) => records[own]?.includes(name) ?? false;
  const foreign = names.filter((name) => !isInOwn(name) && records.some((record) => record.includes(name)));
  return foreign.length > toleratedForeign && foreign.length > names.filter(isInOwn).length;
}

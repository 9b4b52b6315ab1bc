import type { Line } from '../../../extension/platform/lines/line';

export async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const list: string[] = [];
  for await (const line of lines) list.push(line);
  return list;
}

/** The lines of a file. They can be read several times. */
export function numbered(lines: readonly string[]): () => AsyncIterable<Line> {
  return async function* () {
    for (const [index, text] of lines.entries()) yield { number: index + 1, text };
  };
}

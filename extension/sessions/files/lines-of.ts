import type { FileHandle } from 'node:fs/promises';
import { type Line, readLine } from '../records/line';
import { chunksFrom } from './chunks';
import { LineAssembler } from './line-assembler';

/** The lines of an open file as it stands now. A last one without its newline counts where it is a whole record. */
export async function* linesOf(handle: FileHandle): AsyncGenerator<Line> {
  const assembler = new LineAssembler();
  const { size } = await handle.stat();
  for await (const chunk of chunksFrom(handle, 0, size)) yield* assembler.push(chunk).lines;
  const last: Line = { number: assembler.lineNumber, text: assembler.pendingText };
  if (readLine(last).kind === 'record') yield last;
}

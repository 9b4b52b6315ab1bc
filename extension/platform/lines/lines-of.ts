import type { FileHandle } from 'node:fs/promises';
import { chunksFrom } from '../files/chunks';
import type { Line } from './line';
import { LineAssembler } from './line-assembler';
import { LineMender } from './line-mender';

/**
 * The lines of an open file as it is now, as a session reading sees them: records in damaged lines become lines of
 * their own. A last line without a newline counts if it is a whole record.
 */
export async function* linesOf(handle: FileHandle): AsyncGenerator<Line> {
  const assembler = new LineAssembler();
  const mender = new LineMender();
  const { size } = await handle.stat();
  for await (const chunk of chunksFrom(handle, 0, size)) yield* mender.take(assembler.push(chunk)).lines;
  const last = mender.takeLast({ number: assembler.lineNumber, text: assembler.pendingText });
  if (last !== null) yield* last.lines;
}

import { appendFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lineFormats } from '../../extension/sessions/adapters';
import { LineReading } from '../../extension/sessions/line-reading';
import type { ParsedSession } from '../../extension/sessions/session';
import { linesOf } from './build';
import { fixtures } from './samples';
import { temporaryFolders } from './temporary';

const temporary = temporaryFolders();

/** The result of reading a file that is written in pieces, read once after each piece. */
async function readInPieces(file: string, bytes: Buffer, ends: readonly number[]): Promise<ParsedSession> {
  const [first = bytes.length] = ends;
  writeFileSync(file, bytes.subarray(0, first));
  const start = await startReading(file);
  for (const [index, end] of ends.entries()) {
    const added = bytes.subarray(ends[index - 1] ?? end, end);
    if (index > 0) appendFileSync(file, added);
    expect(await start.readOn()).toEqual({ kind: index > 0 && added.length > 0 ? 'read' : 'unchanged' });
  }
  return start.parsed;
}

async function startReading(file: string): Promise<LineReading> {
  const handle = await open(file);
  try {
    const start = await LineReading.start(file, handle, lineFormats);
    if (start.kind !== 'reading') throw new Error(`not recognised: ${start.kind}`);
    return start.reading;
  } finally {
    await handle.close();
  }
}

describe.each([
  ['pi-0.73/after-compaction.jsonl', 1],
  ['claude-code-2.1.330/after-compaction.jsonl', 3],
])('reading %s while it is written', (fixture, linesToRecognise) => {
  const lines = linesOf(join(fixtures, fixture));
  // Adds a few broken and blank lines, and both kinds of line ends, as they occur in real files.
  const text = lines
    .flatMap((line, index) => (index === 8 ? [line, '{"broken"', ''] : [line]))
    .join('\n')
    .replace('\n', '\r\n');
  const bytes = Buffer.from(text.trimEnd());
  const start = Buffer.byteLength(lines.slice(0, linesToRecognise).join('\n')) + 2;

  it('gives the same session wherever the writer paused', async () => {
    const file = join(temporary(), 'session.jsonl');
    const whole = await readInPieces(file, bytes, [bytes.length]);
    expect(whole.issues).toHaveLength(1);
    const pauses = fc.array(fc.integer({ min: start, max: bytes.length }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(pauses, async (places) => {
        const ends = [...new Set([...places, bytes.length])].sort((one, other) => one - other);
        expect(await readInPieces(file, bytes, ends)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });
});

import { appendFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParsedSession } from '../../../extension/sessions/adapter';
import { adapters } from '../../../extension/sessions/adapters';
import { SessionReading } from '../../../extension/sessions/files/session-reading';
import { linesOf } from '../build';
import { fixtures } from '../samples';
import { temporaryFolders } from '../temporary';

const temporary = temporaryFolders();

/** What is read of a file that is written in pieces, with a look at it after each piece. */
async function readInPieces(bytes: Buffer, ends: readonly number[]): Promise<ParsedSession> {
  const file = join(temporary(), 'session.jsonl');
  const [first = bytes.length] = ends;
  writeFileSync(file, bytes.subarray(0, first));
  const handle = await open(file);
  try {
    const start = await SessionReading.start('session.jsonl', handle, adapters);
    if (start.kind !== 'reading') throw new Error(`not recognised: ${start.kind}`);
    for (const [index, end] of ends.entries()) {
      if (index > 0) appendFileSync(file, bytes.subarray(ends[index - 1], end));
      expect(await start.reading.continuesIn(handle)).toBe('continued');
      expect(await start.reading.readOn(handle)).toBe('read');
    }
    return start.reading.parsed;
  } finally {
    await handle.close();
  }
}

describe.each([
  ['pi-0.73/after-compaction.jsonl', 1],
  ['claude-code-2.1.330/after-compaction.jsonl', 3],
])('reading %s while it is written', (fixture, linesToRecognise) => {
  const lines = linesOf(join(fixtures, fixture));
  // A few broken and blank lines and both kinds of line ends, as they occur.
  const text = lines
    .flatMap((line, index) => (index === 8 ? [line, '{"broken"', ''] : [line]))
    .join('\n')
    .replace('\n', '\r\n');
  const bytes = Buffer.from(text.trimEnd());
  const start = Buffer.byteLength(lines.slice(0, linesToRecognise).join('\n')) + 2;

  it('gives the same session wherever the writer paused', async () => {
    const whole = await readInPieces(bytes, [bytes.length]);
    expect(whole.issues).toHaveLength(1);
    const pauses = fc.array(fc.integer({ min: start, max: bytes.length }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(pauses, async (places) => {
        const ends = [...new Set([...places, bytes.length])].sort((one, other) => one - other);
        expect(await readInPieces(bytes, ends)).toEqual(whole);
      }),
      { numRuns: 40 },
    );
  });
});

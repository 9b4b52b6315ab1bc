import { open, truncate } from 'node:fs/promises';
import * as v from 'valibot';
import { localizable } from '../../engine/wording/localizable-text';
import { oneByOne } from '../../platform/files/in-turn';
import { privateFile } from '../../platform/files/private-modes';
import { systemErrorCode } from '../../platform/files/with-file';
import { linesOf } from '../../platform/lines/lines-of';
import { ResultsUnusable } from '../measure/evaluation-results';
import { boundarySchema } from '../measure/replay';
import { readLine } from '../measure/results-schema';
import { writeResults } from '../results-file';

// One replay on disk: a header, then a line for each session that was read and for each boundary that was measured.

const skipped = v.object({ file: v.string(), reason: v.string() });
const place = v.pipe(v.number(), v.integer(), v.minValue(0));

const headerLine = v.object({
  kind: v.literal('header'),
  version: v.literal(1),
  time: v.string(),
  madeWith: v.object({ strata: v.string(), node: v.string() }),
  strategies: v.array(v.string()),
  simulatedPerSession: place,
  /** Addresses of the sessions with their sizes in bytes. */
  sessions: v.array(v.tuple([v.string(), v.number()])),
});

const sessionLine = v.object({
  kind: v.literal('session'),
  at: place,
  address: v.string(),
  session: v.nullable(v.object({ agent: v.string(), id: v.string() })),
  boundaries: v.array(v.object({ key: v.string(), kind: v.picklist(['agent', 'simulated']), after: place })),
  skipped: v.array(skipped),
});

const measuredLine = v.object({
  kind: v.literal('measured'),
  at: place,
  key: v.string(),
  boundary: v.nullable(boundarySchema),
  skipped: v.nullable(skipped),
});

const anyLine = v.variant('kind', [headerLine, sessionLine, measuredLine]);

export type ReplayHeader = v.InferOutput<typeof headerLine>;
export type ReplayLine = v.InferOutput<typeof anyLine>;

/** The lines of a replay, one at a time. Throws `ResultsUnusable`, which names file and line. A torn last line is left out. */
export async function* replayLines(path: string): AsyncGenerator<ReplayLine> {
  await using file = await open(path, 'r');
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (line.text.trim() === '') continue;
    const read = readLine(anyLine, line.text);
    if (read.kind === 'line') yield read.line;
    else
      throw new ResultsUnusable(
        localizable('{0}:{1}: this line is not a valid result: {2}.', path, number, read.reason),
      );
  }
}

/** Cuts off an incomplete last line. False if there is no file. */
export async function mendedRecords(path: string): Promise<boolean> {
  try {
    await using file = await open(path, 'r');
    const { size } = await file.stat();
    let end = size;
    const bytes = Buffer.alloc(64 * 1024);
    while (end > 0) {
      const start = Math.max(0, end - bytes.length);
      const { bytesRead } = await file.read(bytes, 0, end - start, start);
      const newline = bytes.subarray(0, bytesRead).lastIndexOf(0x0a);
      if (newline >= 0) {
        end = start + newline + 1;
        break;
      }
      end = start;
    }
    if (end < size) await truncate(path, end);
    return end > 0;
  } catch (cause) {
    if (systemErrorCode(cause) === 'ENOENT') return false;
    throw new ResultsUnusable(localizable('{0}: the results could not be read: {1}', path, String(cause)), { cause });
  }
}

/** Appends lines in the order of the calls. */
export class ReplayWriter {
  readonly #inTurn = oneByOne();

  private constructor(
    readonly path: string,
    private size: number,
  ) {}

  /** Continues the file, or begins it again with a header. */
  static async open(path: string, header: ReplayHeader | null): Promise<ReplayWriter> {
    await using file = await open(path, header === null ? 'a' : 'w', privateFile);
    const writer = new ReplayWriter(path, (await file.stat()).size);
    if (header !== null) await writer.append(header);
    return writer;
  }

  /** Throws `ResultsNotWritten`, also if another process wrote to the file. */
  append(line: ReplayLine): Promise<void> {
    return this.#inTurn(() => this.#append(`${JSON.stringify(line)}\n`));
  }

  async #append(text: string): Promise<void> {
    this.size = await writeResults(this.path, text, this.size);
  }
}

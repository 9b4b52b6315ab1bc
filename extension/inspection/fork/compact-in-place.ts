import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { localizable } from '../../engine/wording/localizable-text';
import { bytesAt } from '../../platform/files/chunks';
import { appendOrTakeBack } from '../../platform/files/locked-append';
import { systemErrorCode } from '../../platform/files/with-file';
import type { Line } from '../../platform/lines/line';
import { linesOf } from '../../platform/lines/lines-of';
import { adapterOf } from '../../sessions/adapters';
import { type Chance, ForkRefused } from '../../sessions/fork/fork-format';
import { withWritten } from '../../sessions/fork/fork-mark';
import { recordLine } from '../../sessions/fork/mended-lines';
import { agentNames } from '../../sessions/session';
import { type Inspection, OperationRefused } from '../inspection';
import { asRefusal, canCompactInPlace, chanceOfThisProcess, type ForkableFormat, forkableFormat } from './forkable';
import { refuseDifferentText, replacementFor } from './replacement';

/**
 * Appends the compaction to the session itself, in the agent's own records: all of them or none. Only for a session
 * that no agent has open, and only on the user's request. Existing records are not changed.
 */
export async function compactInPlace(inspection: Inspection, chance: Chance = chanceOfThisProcess): Promise<void> {
  const { agent, live, file, cwd } = inspection.session;
  if (!canCompactInPlace(agent)) {
    throw new OperationRefused('Strata does not write into sessions of {0}. Fork the session instead.', [
      agentNames[agent],
    ]);
  }
  if (live) throw new OperationRefused('An agent has this session open. Close it there, or fork the session.');
  if ((await adapterOf(agent).fork?.mayBeOpen?.({ cwd })) === 'running') {
    throw new OperationRefused(
      '{0} is running in {1} and may have this session open. It would continue from its memory and ignore the compaction. Close it, or fork the session.',
      [agentNames[agent], cwd ?? ''],
    );
  }
  try {
    const handle = await open(file, constants.O_RDWR | constants.O_APPEND);
    try {
      await new Appending(inspection, forkableFormat(agent), handle, chance).append();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = systemErrorCode(error);
    if (code !== null) throw new OperationRefused('{0} could not be written ({1}). It was not changed.', [file, code]);
    throw asRefusal(error);
  }
}

const newline = 0x0a;

class Appending {
  constructor(
    private readonly inspection: Inspection,
    private readonly format: ForkableFormat,
    private readonly handle: FileHandle,
    private readonly chance: Chance,
  ) {}

  async append(): Promise<void> {
    const { size } = await this.handle.stat();
    const [last] = await bytesAt(this.handle, size - 1, 1);
    if (last !== newline)
      throw new ForkRefused(localizable('The session ends in the middle of a line. Nothing was written.'));
    const records = Buffer.from(`${(await this.#records()).join('\n')}\n`);
    const { size: sizeNow } = await this.handle.stat();
    if (sizeNow !== size)
      throw new ForkRefused(localizable('The session has new records. Nothing was written; try again.'));
    await appendOrTakeBack(this.handle, size, records, true);
  }

  async #records(): Promise<string[]> {
    await this.inspection.counted;
    const { session, journal, ledger } = this.inspection;
    const builder = this.format.createBuilder(session.file);
    let lines = 0;
    for await (const line of linesOf(this.handle)) {
      builder.accept(line);
      lines = line.number;
    }
    const replacement = replacementFor(this.format.fork, {
      session: builder.session(),
      state: journal.state,
      ledger,
      lines: () => linesOf(this.handle),
      chance: this.chance,
    });
    if (replacement === null) throw new ForkRefused(localizable('There is no compaction or pin here to write.'));
    const records: string[] = [];
    for await (const record of replacement.records) {
      records.push(record);
      builder.accept({ number: lines + records.length, text: record });
    }
    const written = builder.session();
    refuseDifferentText(written.conversation, replacement.pieces);
    const soFar = () => withRecords(linesOf(this.handle), records);
    const order = { session: written, lines: soFar, title: null, chance: this.chance };
    const record = await this.format.fork.titled(order);
    records.push(recordLine(withWritten(record, replacement.writtenIn(written.conversation))));
    return records;
  }
}

async function* withRecords(lines: AsyncIterable<Line>, records: readonly string[]): AsyncIterable<Line> {
  let number = 0;
  for await (const line of lines) {
    yield line;
    number = line.number;
  }
  for (const [index, text] of records.entries()) yield { number: number + index + 1, text };
}

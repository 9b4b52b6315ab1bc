import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { keyedBeginning } from '../../extension/conversations/requests/identity';
import type { RecordStore } from '../../extension/conversations/stores/record-store';
import { SharedConversation } from '../../extension/conversations/stores/shared-conversation';
import { storeShelf } from '../../extension/conversations/stores/store-shelf';
import { startPostgres } from '../conversations/stores/servers';
import { newFolder, openers } from '../conversations/stores/stores';
import { programWith, reply, user } from '../library/many-agents';

/** Measures the cost of opening a long conversation in a store for the first time in a process. */

const messages = 10_000;
/** Number of messages that arrived while automatic compaction was on. */
const compacted = 1_500;
const runs = 7;
const identity = { conversation: 'long' };
const key = { scope: '', id: keyedBeginning('long', undefined, '').id };

const lines = readFileSync('test/fixtures/claude-code-2.1.330/before-compaction.jsonl', 'utf8').split('\n');

/** Repeated texts of a real session, each made unique. */
function textOf(at: number): string {
  return `${at}: ${lines[at % lines.length]?.slice(0, 600)}`;
}

async function written(store: RecordStore): Promise<void> {
  const history = Array.from({ length: messages }, (_, at) => (at % 2 === 0 ? user(textOf(at)) : reply(textOf(at))));
  const compacting = await programWith({ shelf: storeShelf(store), window: 200_000 });
  for (let length = 101; length <= compacted; length += 100)
    await compacting.send(history.slice(0, length), 'Yes.', identity);
  const growing = await programWith({ shelf: storeShelf(store), automation: { enabled: false } });
  await growing.send(history.slice(0, -1), 'Yes.', identity);
}

/** The median processor time in milliseconds. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const began = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1_000);
  }
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

async function opened(store: RecordStore): Promise<void> {
  const conversation = new SharedConversation(store, { ...key, begins: '', created: '' });
  await conversation.refresh();
  if (conversation.parsed.conversation.entries.length < messages / 2) throw new Error('It was not read.');
}

const sizeOf = (records: readonly string[]) => records.reduce((total, record) => total + Buffer.byteLength(record), 0);
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(2);

describe.each(['sqlite', 'postgres'] as const)('a conversation of %s', (kind) => {
  it(`of ${messages} messages`, async () => {
    const server = kind === 'postgres' ? await startPostgres() : null;
    const store = await openers[kind](server?.address ?? join(await newFolder('reopening'), 'strata.db'));
    await written(store);
    const whole = await store.read(key, 0);
    const journal = whole.filter((record) => record.startsWith('{"checksum":'));
    const readMs = await processorMs(() => store.read(key, 0));
    const parsedMs = await processorMs(async () => whole.map((record) => JSON.parse(record)));
    const openedMs = await processorMs(() => opened(store));
    console.log(
      [
        `${kind}: ${whole.length} records of ${megabytes(sizeOf(whole))} MB, ${journal.length} of the journal with ${megabytes(sizeOf(journal))} MB`,
        `opened with ${openedMs.toFixed(0)} ms of processor time; reading is ${readMs.toFixed(0)} ms of it, parsing JSON ${parsedMs.toFixed(0)} ms`,
      ].join('; '),
    );
    await store.close();
    await server?.stop();
  }, 600_000);
});

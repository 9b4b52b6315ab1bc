import { localizable } from '../../engine/wording/localizable-text';
import { sha256Of } from '../../platform/files/sha256';
import { RecentMap } from '../../platform/recent-map';
import { lostRecord } from './lost-record';
import type { MarkedStore } from './marked-store';
import type { AppendOutcome, ConversationDescription, RecordKey } from './record-store';

/** Protects counts: without the key, a count can be neither forged nor moved. */
interface Sealing {
  sealed(text: string, about: string): string;
  /** Null if it was changed, or written for another place. */
  opened(text: string, about: string): string | null;
}

/** The count of a conversation, as far as this process knows it. */
interface Counter {
  /** The key under which counts are written. A conversation that begins again gets another one. */
  readonly place: RecordKey;
  /** Number of counts that were read. */
  read: number;
  /** Number of records that were acknowledged: the largest count. */
  count: number;
  /** Whether lost records were read in place of records that were cut off. */
  isPadded: boolean;
}

/** The scope of no tenant, because a tenant’s name has no space. */
const scopeOfCounts = 'strata counts';

/** Number of conversations whose counts are remembered. */
const mostKnown = 10_000;

const cutOff = lostRecord(localizable('it was cut off at the end of its conversation'));
const writtenOver = lostRecord(localizable('records before it were cut off and replaced by others'));
const moved: AppendOutcome = { kind: 'moved' };

/**
 * A store that notices when records are cut off at the end of a conversation. After each append, and before it resolves, the
 * length is written beside the conversation. A conversation shorter than its largest count is read with a lost record for each
 * one that is missing, and these are stored with the next append. A conversation without a count is accepted as it is.
 */
export function countedStore(store: MarkedStore, { sealed, opened }: Sealing): MarkedStore {
  const counters = new RecentMap<string, Counter>(mostKnown);
  const nameOf = ({ scope, id }: RecordKey) => JSON.stringify([scope, id]);
  const about = ({ id }: RecordKey, at: number) => JSON.stringify([scopeOfCounts, id, at]);

  /** The counter of the conversation that begins with this record. */
  function counterWith(key: RecordKey, first: string): Counter {
    const name = nameOf(key);
    const place = { scope: scopeOfCounts, id: sha256Of(JSON.stringify([key.scope, key.id, first])) };
    const last = counters.get(name);
    const counter = last?.place.id === place.id ? last : { place, read: 0, count: 0, isPadded: false };
    counters.set(name, counter);
    return counter;
  }

  /** Null if there is no such conversation. */
  async function counterOf(key: RecordKey): Promise<Counter | null> {
    const known = counters.get(nameOf(key));
    if (known) return known;
    const [first] = await store.read(key, 0);
    if (first === undefined) return null;
    const counter = counterWith(key, first);
    await update(counter);
    return counter;
  }

  /** Reads the counts that others have written, and returns them. */
  async function update(counter: Counter, from = counter.read): Promise<readonly number[]> {
    const texts = await store.read(counter.place, from);
    const counts = texts.map((text, index) => Number(opened(text, about(counter.place, from + index)) ?? 0));
    counter.read = Math.max(counter.read, from + counts.length);
    counter.count = Math.max(counter.count, ...counts);
    return counts;
  }

  async function read(key: RecordKey, from: number): Promise<readonly string[]> {
    const known = from === 0 ? undefined : counters.get(nameOf(key));
    if (known) {
      const [records] = await Promise.all([store.read(key, from), update(known)]);
      return await whole(key, from, records, known);
    }
    const records = await store.read(key, 0);
    const [first] = records;
    if (first === undefined) return [];
    const counter = counterWith(key, first);
    await update(counter);
    return (await whole(key, 0, records, counter)).slice(from);
  }

  /** With a lost record for each record that is missing at the end. */
  async function whole(key: RecordKey, from: number, records: readonly string[], counter: Counter) {
    if (from + records.length >= counter.count) return records;
    // The count may be newer than the records: others write.
    const again = await store.read(key, from);
    if (from === 0 && again[0] !== records[0]) return again;
    const missing = counter.count - from - again.length;
    if (missing <= 0) return again;
    counter.isPadded = true;
    return [...again, ...Array<string>(missing).fill(cutOff)];
  }

  async function append(
    key: RecordKey,
    expected: number,
    records: readonly string[],
    description: ConversationDescription,
  ): Promise<AppendOutcome> {
    const known = expected === 0 ? null : await counterOf(key);
    if (known && known.count > expected) return moved;
    const direct = await store.append(key, expected, records, description);
    const outcome =
      direct.kind === 'moved' && known?.isPadded ? await appendPadded(key, expected, records, description) : direct;
    if (outcome.kind === 'moved' || records.length === 0) return outcome;
    const counter = known ?? counterWith(key, records[0] ?? '');
    counter.isPadded = false;
    const others = await count(counter, expected + records.length);
    if (others.some((other) => other > expected && other <= expected + records.length))
      await appendLoss(key, expected + records.length, description);
    return outcome;
  }

  /** Lost records are stored in their places, so that the records after them keep theirs. */
  async function appendPadded(
    key: RecordKey,
    expected: number,
    records: readonly string[],
    description: ConversationDescription,
  ): Promise<AppendOutcome> {
    const { length } = await store.read(key, 0);
    if (length === 0 || length >= expected) return moved;
    const padding = Array<string>(expected - length).fill(cutOff);
    return await store.append(key, length, [...padding, ...records], description);
  }

  async function appendLoss(key: RecordKey, from: number, description: ConversationDescription): Promise<void> {
    const { length } = await store.read(key, from);
    const { kind } = await store.append(key, from + length, [writtenOver], description);
    if (kind === 'moved') await appendLoss(key, from, description);
  }

  /** Writes a count, and returns the counts that others have written since the last read. */
  async function count(counter: Counter, length: number): Promise<readonly number[]> {
    const { place, read: at } = counter;
    const created = new Date().toISOString();
    const text = sealed(String(length), about(place, at));
    const { kind } = await store.append(place, at, [text], { begins: '', name: null, created });
    if (kind === 'appended') {
      counter.read = Math.max(counter.read, at + 1);
      counter.count = Math.max(counter.count, length);
      return [];
    }
    const others = await update(counter, at);
    // Counts were cut off, or deleted with the conversation.
    if (others.length === 0) counter.read = (await store.read(place, 0)).length;
    return counter.count > length ? others : [...others, ...(await count(counter, length))];
  }

  return {
    ...store,
    read,
    append,
    async delete(key) {
      const counter = await counterOf(key);
      if (counter) await store.delete(counter.place);
      counters.delete(nameOf(key));
      await store.delete(key);
    },
    /** Counts are pruned too. The number is approximate if others write or delete at the same time. */
    async prune(before) {
      const time = Date.parse(before);
      const counts = (await store.list(scopeOfCounts)).filter(({ updated }) => Date.parse(updated) < time);
      return Math.max(0, (await store.prune(before)) - counts.length);
    },
  };
}

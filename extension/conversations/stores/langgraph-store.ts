import { sameItems } from '../../engine/conversation/same-items';
import { turnsOf } from '../../platform/files/in-turn';
import { isRecord } from '../../platform/json/schemas';
import type { ConversationDescription, RecordKey, RecordStore, StoredConversation } from './record-store';

/** An item in a store of LangGraph. */
export interface LanggraphItem {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The new value; null deletes it. */
export interface LanggraphPut {
  readonly namespace: string[];
  readonly key: string;
  readonly value: Record<string, unknown> | null;
  /** Nothing of it is embedded. */
  readonly index: false;
}

/** The stored pieces that end after this place. */
export type LanggraphFilter = Record<'end', { readonly $gt: number }>;

/** The methods of LangGraph's `BaseStore` that the store calls. */
export interface LanggraphClient {
  batch(operations: LanggraphPut[]): Promise<unknown>;
  search(
    namespace: string[],
    options: { filter?: LanggraphFilter; limit: number; offset: number },
  ): Promise<readonly LanggraphItem[]>;
}

export interface LanggraphOptions {
  /** Its maker closes it. */
  readonly client: LanggraphClient;
}

/** The records of one append. */
interface Piece {
  readonly key: string;
  /** Number of records before it. */
  readonly place: number;
  /** Number of records with it. */
  readonly end: number;
  readonly records: readonly string[];
  /** False while its writer checks that it is alone; it is not read until then. */
  readonly confirmed: boolean;
  readonly createdAt: number;
}

const conversations = 'strata-conversations';
const pieces = 'strata-records';
const pageLength = 1_000;
const placeDigits = 12;

/** A writer that needs longer than this to check that it is alone gives up, in milliseconds. */
const confirmsWithinMs = 2_000;
/** A piece that is still unconfirmed after this time was left by a writer that ended, in milliseconds. */
const abandonedAfterMs = 5_000;
/** Writers that met try again after a time up to this, in milliseconds, so that they do not meet again. */
const longestPauseMs = 80;

/**
 * Conversations in a store that an agent of LangGraph has. Such a store cannot compare and write in one step. So an append first
 * writes its records unconfirmed, then looks whether another writer wrote at the same place, and confirms them only if it was alone.
 * At least one of two simultaneous writers sees the other, and a writer that sees another withdraws, so two never both confirm.
 * Unconfirmed records are not read.
 */
export function langgraphStore({ client }: LanggraphOptions): RecordStore {
  async function found(namespace: string[], filter?: LanggraphFilter): Promise<LanggraphItem[]> {
    const items: LanggraphItem[] = [];
    for (;;) {
      const options = { ...(filter && { filter }), limit: pageLength, offset: items.length };
      const page = await client.search(namespace, options);
      items.push(...page);
      if (page.length < pageLength) return items;
    }
  }

  /** The pieces that end after this place, confirmed or not. */
  async function allAfter(key: RecordKey, place: number): Promise<Piece[]> {
    const namespace = piecesOf(key);
    const items = await found(namespace, { end: { $gt: place } });
    return items.filter((item) => isIn(item, namespace)).map(pieceOf);
  }

  /** The confirmed pieces, in order. */
  async function confirmedAfter(key: RecordKey, place: number): Promise<Piece[]> {
    const all = (await allAfter(key, place)).filter(({ confirmed }) => confirmed);
    all.sort((a, b) => a.place - b.place || a.createdAt - b.createdAt || (a.key < b.key ? -1 : 1));
    let end = all[0]?.place ?? 0;
    return all.filter((piece) => {
      const isNext = piece.place === end;
      if (isNext) end = piece.end;
      return isNext;
    });
  }

  async function appended(
    key: RecordKey,
    expected: number,
    records: readonly string[],
    about: ConversationDescription,
  ) {
    const last = await confirmedAfter(key, expected - 1);
    if (expected === 0 ? last.length > 0 : last.at(-1)?.end !== expected) return { kind: 'moved' } as const;
    const end = expected + records.length;
    const place = String(expected).padStart(placeDigits, '0');
    const namespace = piecesOf(key);
    const piece = { namespace, key: `${place}-${globalThis.crypto.randomUUID()}`, index: false } as const;
    const began = performance.now();
    await client.batch([{ ...piece, value: { place: expected, end, records, confirmed: false } }]);
    const isAlone = await aloneAt(key, expected, piece.key);
    if (!isAlone || performance.now() - began > confirmsWithinMs) {
      await client.batch([{ ...piece, value: null }]);
      await pause();
      return { kind: 'moved' } as const;
    }
    await client.batch([
      { ...piece, value: { place: expected, end, records, confirmed: true } },
      { namespace: [conversations, label(key.scope)], key: key.id, value: { ...about, length: end }, index: false },
    ]);
    return { kind: 'appended' } as const;
  }

  /** Whether no other writer has written at this place or is about to. Deletes pieces that were left there by ended writers. */
  async function aloneAt(key: RecordKey, place: number, own: string): Promise<boolean> {
    const there = (await allAfter(key, place)).filter((piece) => piece.place === place);
    const since = there.find((piece) => piece.key === own)?.createdAt;
    if (since === undefined) return false;
    const isAbandoned = ({ confirmed, createdAt }: Piece) => !confirmed && since - createdAt > abandonedAfterMs;
    const abandoned = there.filter(isAbandoned);
    const namespace = piecesOf(key);
    if (abandoned.length > 0)
      await client.batch(abandoned.map((piece) => ({ namespace, key: piece.key, value: null, index: false })));
    return there.length - abandoned.length === 1;
  }

  async function list(scope: string): Promise<StoredConversation[]> {
    const namespace = [conversations, label(scope)];
    return (await found(namespace)).filter((item) => isIn(item, namespace)).map(asStored);
  }

  /** `since`: deletes only if nothing was written since then. Returns whether it was deleted. */
  async function removed(key: RecordKey, since = Number.POSITIVE_INFINITY): Promise<boolean> {
    const namespace = piecesOf(key);
    const items = (await found(namespace)).filter((item) => isIn(item, namespace));
    if (items.some(({ updatedAt }) => timeOf(updatedAt) >= since)) return false;
    await client.batch([
      ...items.map((item) => ({ namespace, key: item.key, value: null, index: false as const })),
      { namespace: [conversations, label(key.scope)], key: key.id, value: null, index: false },
    ]);
    return true;
  }

  /** Appends of this process run one after the other. */
  const inTurnOf = <T>({ scope, id }: RecordKey, work: () => Promise<T>) =>
    turnsOf(client)(JSON.stringify([scope, id]), work);

  return {
    async read(key, from) {
      const pieces = await confirmedAfter(key, from);
      return pieces.flatMap(({ records }) => records).slice(Math.max(0, from - (pieces[0]?.place ?? from)));
    },
    append: (key, expected, records, about) => inTurnOf(key, () => appended(key, expected, records, about)),
    find: async (scope, beginnings) => (await list(scope)).filter(({ begins }) => beginnings.includes(begins)),
    list,
    delete: async (key) => void (await inTurnOf(key, () => removed(key))),
    async prune(before) {
      const time = Date.parse(before);
      const old = (await found([conversations])).filter(({ updatedAt }) => timeOf(updatedAt) < time);
      let deleted = 0;
      for (const { namespace, key: id } of old) {
        const key = { scope: scopeOf(namespace[1] ?? ''), id };
        if (await inTurnOf(key, () => removed(key, time))) deleted += 1;
      }
      return deleted;
    },
    close: async () => undefined,
  };
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * longestPauseMs));
}

/** The store that a run of LangGraph hands out writes in batches, and only while the run lasts. Returns the store below it. */
export function lastingStore(store: unknown): LanggraphClient | null {
  const below = isRecord(store) ? store.store : null;
  return [below, store].find(isClient) ?? null;
}

function isClient(value: unknown): value is LanggraphClient {
  return isRecord(value) && typeof value.batch === 'function' && typeof value.search === 'function';
}

const piecesOf = ({ scope, id }: RecordKey) => [pieces, label(scope), label(id)];

/** A label is never empty, and has no `.`, `:`, `%`, `_` or backslash. */
function label(name: string): string {
  const asCode = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return `=${encodeURIComponent(name).replace(/[._~]/g, asCode)}`.replaceAll('%', '~');
}

function scopeOf(text: string): string {
  return decodeURIComponent(text.slice(1).replaceAll('~', '%'));
}

/** A search also finds namespaces that only begin with the wanted one. */
function isIn({ namespace }: LanggraphItem, exactly: readonly string[]): boolean {
  return sameItems(namespace, exactly);
}

function pieceOf({ key, value, createdAt }: LanggraphItem): Piece {
  const { place, end, records, confirmed = true } = value as unknown as Piece;
  return { key, place, end, records, confirmed, createdAt: timeOf(createdAt) };
}

function asStored({ key, value, updatedAt }: LanggraphItem): StoredConversation {
  const { begins, name, created, length } = value as unknown as StoredConversation;
  return { id: key, begins, name, created, length, updated: new Date(timeOf(updatedAt)).toISOString() };
}

/** A server may send it as text. */
function timeOf(time: Date | string): number {
  return new Date(time).getTime();
}

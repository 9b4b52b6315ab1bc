import type { ConversationDescription, RecordKey, RecordStore, StoredConversation } from './record-store';

interface Kept {
  readonly scope: string;
  readonly description: ConversationDescription & { readonly id: string };
  readonly records: string[];
  updated: string;
}

/** A store in memory: for tests, and as an example of a store. */
export function memoryStore(now: () => string = () => new Date().toISOString()): RecordStore {
  const all = new Map<string, Kept>();
  const nameOf = ({ scope, id }: RecordKey) => JSON.stringify([scope, id]);
  const list = (scope: string) => [...all.values()].filter((kept) => kept.scope === scope).map(asStored);
  return {
    read: async (key, from) => all.get(nameOf(key))?.records.slice(from) ?? [],
    async append(key, expectedLength, records, description) {
      const known = all.get(nameOf(key));
      if ((known?.records.length ?? 0) !== expectedLength) return { kind: 'moved' };
      const kept = known ?? { scope: key.scope, description: { ...description, id: key.id }, records: [], updated: '' };
      all.set(nameOf(key), kept);
      kept.records.push(...records);
      kept.updated = now();
      return { kind: 'appended' };
    },
    find: async (scope, beginnings) => list(scope).filter(({ begins }) => beginnings.includes(begins)),
    list: async (scope) => list(scope),
    delete: async (key) => void all.delete(nameOf(key)),
    async prune(before) {
      const time = new Date(before).toISOString();
      const old = [...all].filter(([, { updated }]) => updated < time);
      for (const [name] of old) all.delete(name);
      return old.length;
    },
    close: async () => undefined,
  };
}

function asStored({ description, records, updated }: Kept): StoredConversation {
  const { id, begins, name, created } = description;
  return { id, begins, name, created, length: records.length, updated };
}

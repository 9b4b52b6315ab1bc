import type { Entry, Part } from '../../../engine/conversation/entry';
import { append } from '../../../platform/json/append';
import type { JsonRecord } from '../../../platform/json/schemas';
import type { CodexItem } from './items';
import { Slot } from './slot';

/** The context after a compaction, from its list of items. */
export interface Replacement {
  readonly slots: readonly Slot[];
  /** Entries that no earlier record contains. */
  readonly fresh: readonly Slot[];
}

interface ReplacementSource {
  /** The entry in which an item was first recorded. */
  readonly ownerOf: (item: JsonRecord) => Slot | null;
  readonly read: (item: JsonRecord) => CodexItem | null;
  /** Creates an entry for items that have none. */
  readonly make: (item: JsonRecord, reading: CodexItem, parts: readonly Part[]) => Entry;
  /** Records that an item belongs to an entry from now on. */
  readonly own: (item: JsonRecord, slot: Slot) => void;
  readonly keepsItems: boolean;
}

interface Group {
  readonly owner: Slot | null;
  readonly first: JsonRecord;
  readonly reading: CodexItem;
  readonly parts: Part[];
  readonly items: JsonRecord[];
}

/**
 * Codex repeats the kept items in a compaction record. An unchanged item keeps its entry; a changed item replaces its
 * entry under the same id.
 */
export function replacementOf(items: readonly JsonRecord[], source: ReplacementSource): Replacement {
  const used = new Set<Slot>();
  const fresh: Slot[] = [];
  const slots = groupsOf(items, source).map((group) => {
    const { owner } = group;
    const kept = source.keepsItems ? group.items : [];
    if (owner !== null && !used.has(owner)) {
      used.add(owner);
      return asItReadsNow(owner, group, kept);
    }
    const slot = new Slot(source.make(group.first, group.reading, group.parts), kept);
    for (const item of group.items) source.own(item, slot);
    fresh.push(slot);
    return slot;
  });
  return { slots, fresh };
}

function asItReadsNow(owner: Slot, { parts }: Group, items: JsonRecord[]): Slot {
  const isSame = JSON.stringify(owner.entry.parts) === JSON.stringify(parts);
  return isSame ? owner : new Slot({ ...owner.entry, parts }, items);
}

/** Consecutive items of the same reply form one group. */
function groupsOf(items: readonly JsonRecord[], source: ReplacementSource): Group[] {
  const groups: Group[] = [];
  for (const item of items) {
    const reading = source.read(item);
    if (reading === null) continue;
    const owner = source.ownerOf(item);
    const last = groups.at(-1);
    if (last !== undefined && continuesGroup(last, reading, owner)) {
      append(last.parts, reading.parts);
      last.items.push(item);
    } else groups.push({ owner, first: item, reading, parts: reading.parts.slice(), items: [item] });
  }
  return groups;
}

function continuesGroup(group: Group, reading: CodexItem, owner: Slot | null): boolean {
  if (group.reading.kind !== 'reply' || reading.kind !== 'reply' || group.owner !== owner) return false;
  return owner !== null || !reading.opensReply || group.parts.every((part) => part.type === 'reasoning');
}

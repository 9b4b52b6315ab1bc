import type { Entry, Origin, Part } from '../../../engine/conversation/entry';
import { append } from '../../../platform/json/append';
import * as s from '../../../platform/json/schemas';
import { UniqueIds } from '../../../platform/json/unique-ids';
import { injectedMarks } from '../../../sessions/injected/marks';
import { type CodexItem, readItem } from './items';
import { keyOf } from './records';
import { Slot } from './slot';

const callItem = s.record({ type: s.name, call_id: s.name, name: s.name });

/** Position of a record in its file. */
export interface RecordPlace {
  readonly origin: Origin;
  readonly timestamp: string | null;
}

/** Items of a compaction's list that become one entry. */
interface Group {
  /** The entry in which the first of them was recorded before. */
  readonly owner: Slot | null;
  readonly first: s.JsonRecord;
  readonly reading: CodexItem;
  readonly parts: Part[];
  readonly items: s.JsonRecord[];
}

function continuesGroup(group: Group, reading: CodexItem, owner: Slot | null): boolean {
  if (group.reading.kind !== 'reply' || reading.kind !== 'reply' || group.owner !== owner) return false;
  return owner !== null || !reading.opensReply || group.parts.every((part) => part.type === 'reasoning');
}

/** All entries of a session, and an index that finds the entry of a repeated item. */
export class EntryBook {
  readonly #ids = new UniqueIds();
  /** In file order. */
  readonly #slots: Slot[] = [];
  /** The entry in which an item was recorded, by `keyOf`. */
  readonly #owners = new Map<string, Slot>();
  readonly #toolNames = new Map<string, string>();

  /** @param keepsItems Keep the records of each entry so that they can be written again. */
  constructor(readonly keepsItems: boolean) {}

  claim(id: string): string {
    return this.#ids.claim(id);
  }

  entries(): Entry[] {
    return this.#slots.map((slot) => slot.entry);
  }

  /** `summary`: the text of the compaction whose list contains the item. */
  read(item: s.JsonRecord, summary: string | null): CodexItem | null {
    return readItem(item, { toolName: (callId) => this.#toolNames.get(callId) ?? null, summary });
  }

  /** Creates an entry from an item. */
  open(item: s.JsonRecord, reading: CodexItem, place: RecordPlace, model: string | null): Slot {
    const slot = this.keep(this.#entryOf(item, reading, reading.parts, place, model), [item]);
    this.#own(item, slot);
    return slot;
  }

  /** Adds a further item to an entry. */
  extend(slot: Slot, item: s.JsonRecord, reading: CodexItem): void {
    slot.add(reading.parts, this.keepsItems ? [item] : []);
    this.#own(item, slot);
  }

  keep(entry: Entry, items: s.JsonRecord[]): Slot {
    const slot = new Slot(entry, this.keepsItems ? items : []);
    this.#slots.push(slot);
    return slot;
  }

  /**
   * The context after a compaction, from its list of items. An unchanged item keeps its entry; a changed item replaces its entry under
   * the same id. Entries that no earlier record contains are added.
   */
  replacement(
    items: readonly s.JsonRecord[],
    summary: string | null,
    place: RecordPlace,
    model: string | null,
  ): readonly Slot[] {
    const used = new Set<Slot>();
    return this.#groupsOf(items, summary).map(({ owner, first, reading, parts, items: own }) => {
      if (owner !== null && !used.has(owner)) {
        used.add(owner);
        const isSame = JSON.stringify(owner.entry.parts) === JSON.stringify(parts);
        return isSame ? owner : new Slot({ ...owner.entry, parts }, this.keepsItems ? own : []);
      }
      const slot = this.keep(this.#entryOf(first, reading, parts, place, model), own);
      for (const item of own) this.#own(item, slot);
      return slot;
    });
  }

  /** Consecutive items of the same reply form one group. */
  #groupsOf(items: readonly s.JsonRecord[], summary: string | null): Group[] {
    const groups: Group[] = [];
    for (const item of items) {
      const reading = this.read(item, summary);
      if (reading === null) continue;
      const owner = this.#owners.get(keyOf(item) ?? '') ?? null;
      const last = groups.at(-1);
      if (last !== undefined && continuesGroup(last, reading, owner)) {
        append(last.parts, reading.parts);
        last.items.push(item);
      } else groups.push({ owner, first: item, reading, parts: reading.parts.slice(), items: [item] });
    }
    return groups;
  }

  #entryOf(
    item: s.JsonRecord,
    reading: CodexItem,
    parts: Entry['parts'],
    place: RecordPlace,
    model: string | null,
  ): Entry {
    const entry = { ...place, id: this.#ids.claim(s.read(s.name, item.id) ?? `line-${place.origin.line}`), parts };
    switch (reading.kind) {
      case 'reply':
        return { ...entry, role: 'assistant', ...(model === null ? {} : { model }) };
      case 'result':
        return { ...entry, role: 'tool' };
      case 'summary':
        return { ...entry, role: 'user', injected: true, summary: true };
      case 'message':
        return { ...entry, role: reading.role, ...(reading.injected ? injectedMarks(parts) : {}) };
    }
  }

  #own(item: s.JsonRecord, slot: Slot): void {
    const key = keyOf(item);
    if (key !== null) this.#owners.set(key, slot);
    const { type, call_id: callId, name: given } = s.read(callItem, item);
    const name = type === 'local_shell_call' ? 'local_shell' : given;
    if (callId !== null && name !== null) this.#toolNames.set(callId, name);
  }
}

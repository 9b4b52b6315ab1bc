import type { Entry, Origin } from '../../engine/conversation/entry';
import { injectedMarks } from '../injected/marks';
import * as s from '../records/schemas';
import { UniqueIds } from '../records/unique-ids';
import { type Replacement, replacementOf } from './compaction';
import { type CodexItem, readItem } from './items';
import { keyOf } from './records';
import { Slot } from './slot';

const callItem = s.record({ type: s.name, call_id: s.name, name: s.name });

/** Where a record stands. */
export interface Place {
  readonly origin: Origin;
  readonly timestamp: string | null;
}

/** All entries of a session, with what it takes to know an item again. */
export class EntryBook {
  readonly #ids = new UniqueIds();
  /** In file order. */
  readonly #slots: Slot[] = [];
  /** The entry that an item was recorded in, by what tells the item from others. */
  readonly #owners = new Map<string, Slot>();
  readonly #toolNames = new Map<string, string>();

  /** @param keepsItems Keep the records that entries are made of, to write them again. */
  constructor(readonly keepsItems: boolean) {}

  claim(id: string): string {
    return this.#ids.claim(id);
  }

  entries(): Entry[] {
    return this.#slots.map((slot) => slot.entry);
  }

  /** `summary`: the text of the compaction that the item stands in. */
  read(item: s.JsonRecord, summary: string | null): CodexItem | null {
    return readItem(item, { toolName: (callId) => this.#toolNames.get(callId) ?? null, summary });
  }

  /** A new entry, of an item. */
  open(item: s.JsonRecord, reading: CodexItem, place: Place, model: string | null): Slot {
    const slot = this.keep(this.#entryOf(item, reading, reading.parts, place, model), [item]);
    this.#own(item, slot);
    return slot;
  }

  /** One more item of an entry. */
  extend(slot: Slot, item: s.JsonRecord, reading: CodexItem): void {
    slot.add(reading.parts, this.keepsItems ? [item] : []);
    this.#own(item, slot);
  }

  keep(entry: Entry, items: s.JsonRecord[]): Slot {
    const slot = new Slot(entry, this.keepsItems ? items : []);
    this.#slots.push(slot);
    return slot;
  }

  /** What a compaction's list of items becomes; entries that no earlier record said are kept as new ones. */
  replacement(items: readonly s.JsonRecord[], summary: string | null, place: Place, model: string | null): Replacement {
    const replacement = replacementOf(items, {
      ownerOf: (item) => this.#owners.get(keyOf(item) ?? '') ?? null,
      read: (item) => this.read(item, summary),
      make: (item, reading, parts) => this.#entryOf(item, reading, parts, place, model),
      own: (item, slot) => this.#own(item, slot),
      keepsItems: this.keepsItems,
    });
    for (const slot of replacement.fresh) this.#slots.push(slot);
    return replacement;
  }

  #entryOf(item: s.JsonRecord, reading: CodexItem, parts: Entry['parts'], place: Place, model: string | null): Entry {
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

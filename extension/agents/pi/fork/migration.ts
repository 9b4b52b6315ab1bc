import * as s from '../../../platform/json/schemas';
import type { ParsedSession } from '../../../sessions/session';

export const currentVersion = 3;

const header = s.record({ version: s.count });
const kept = s.record({ id: s.name, keepLastMessages: s.count, firstKeptEntryId: s.name });

/**
 * Upgrades records of older versions like pi itself when it opens a file: version 1 has no ids and refers to a record
 * by its place in the file, version 2 has another name for messages of extensions. The new ids are those that Strata
 * shows. A file without a header counts as version 1. A compaction that records how many messages stay is changed to
 * name the first of them.
 */
export class Migration {
  #version: number = currentVersion;
  #newest: string | null = null;
  /** Ids by place in the file, including the header; null for records without an id. */
  readonly #ids: (string | null)[] = [];

  constructor(private readonly original: ParsedSession) {}

  /** Counts a line without a record as a place. */
  passOver(): void {
    this.#ids.push(null);
  }

  /** The record itself if it needs no change. */
  migrated(record: s.JsonRecord, line: number): s.JsonRecord {
    if (record.type === 'session') {
      if (this.#ids.length === 0) this.#version = s.read(header, record).version ?? 1;
      this.passOver();
      return record;
    }
    if (this.#ids.length === 0) this.#version = 1;
    const linked = this.#version < 2 ? this.#linked(record, line) : record;
    const naming = this.#namingFirstKept(linked);
    return this.#version < 3 ? withCurrentRole(naming) : naming;
  }

  #namingFirstKept(record: s.JsonRecord): s.JsonRecord {
    const { id, keepLastMessages, firstKeptEntryId } = s.read(kept, record);
    if (record.type !== 'compaction' || keepLastMessages === null || firstKeptEntryId !== null) return record;
    const { keepLastMessages: _count, ...fields } = record;
    return { ...fields, firstKeptEntryId: firstKeptOf(this.original, id) ?? id };
  }

  #linked(record: s.JsonRecord, line: number): s.JsonRecord {
    const id = `line-${line}`;
    const { firstKeptEntryIndex, ...fields } = record;
    const index = s.read(s.count, firstKeptEntryIndex);
    const firstKept = index === null ? {} : { firstKeptEntryId: this.#ids[index] ?? id };
    const linked = { ...fields, id, parentId: this.#newest, ...(record.type === 'compaction' ? firstKept : {}) };
    this.#ids.push(id);
    this.#newest = id;
    return linked;
  }
}

function withCurrentRole(record: s.JsonRecord): s.JsonRecord {
  const message = s.read(s.jsonRecord, record.message);
  return message?.role === 'hookMessage' ? { ...record, message: { ...message, role: 'custom' } } : record;
}

/** The message after the newest replaced one; null if the compaction replaced all. */
function firstKeptOf({ conversation }: ParsedSession, compactionId: string | null): string | null {
  const { entries, agentCompactions } = conversation;
  const compaction = agentCompactions.find(({ id }) => id === compactionId);
  const replaced = new Set(compaction?.replacedEntryIds);
  const first = entries[entries.findLastIndex(({ id }) => replaced.has(id)) + 1];
  return first === undefined || first.id === compaction?.summaryEntryId ? null : first.id;
}

import * as s from '../../records/schemas';

export const currentVersion = 3;

const header = s.record({ version: s.count });

/**
 * Upgrades records of older versions like pi itself when it opens a file: version 1 has no ids and refers to a record by
 * its place in the file, version 2 has another name for messages of extensions. The new ids are those that Strata shows.
 */
export class Migration {
  #version: number = currentVersion;
  #newest: string | null = null;
  /** By place, the header included; null for what has no id. */
  readonly #ids: (string | null)[] = [];

  /** A line that is no record counts as a place. */
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
    const linked = this.#version < 2 ? this.#linked(record, line) : record;
    return this.#version < 3 ? withCurrentRole(linked) : linked;
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

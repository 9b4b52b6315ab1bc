import { asCount, asName, asRecord, type JsonRecord } from '../../records/json';

export const currentVersion = 3;

/**
 * Records of older versions as pi itself brings them up to date when it opens a file: version 1 has no ids and names a
 * record by its place, version 2 calls messages of extensions otherwise. The new ids are those that Strata shows.
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

  /** The record itself where nothing is to be changed. */
  migrated(record: JsonRecord, line: number): JsonRecord {
    if (record.type === 'session') {
      if (this.#ids.length === 0) this.#version = asCount(record.version) ?? 1;
      this.passOver();
      return record;
    }
    const linked = this.#version < 2 ? this.#linked(record, line) : record;
    return this.#version < 3 ? withCurrentRole(linked) : linked;
  }

  #linked(record: JsonRecord, line: number): JsonRecord {
    const id = `line-${line}`;
    const { firstKeptEntryIndex, ...fields } = record;
    const index = asCount(firstKeptEntryIndex);
    const firstKept = index === null ? {} : { firstKeptEntryId: this.#ids[index] ?? id };
    const linked = { ...fields, id, parentId: this.#newest, ...(record.type === 'compaction' ? firstKept : {}) };
    this.#ids.push(id);
    this.#newest = id;
    return linked;
  }
}

function withCurrentRole(record: JsonRecord): JsonRecord {
  const message = asRecord(record.message);
  if (asName(message?.role) !== 'hookMessage') return record;
  return { ...record, message: { ...message, role: 'custom' } };
}

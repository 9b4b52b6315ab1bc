import { localizable } from '../../../engine/wording/localizable-text';
import { append } from '../../../platform/json/append';
import type * as s from '../../../platform/json/schemas';
import type { IssueAtLine } from '../../../sessions/records/issues';
import { dataIn, messageData, type PartData, partData } from './data';
import { type ReadRow, type StoredMessage, storedMessage } from './message';
import { countRows, type DataRow, type DataTable, type ReadPosition, rowIds, rowsSince } from './rows';
import type { Database } from './sqlite';

/** Milliseconds. A row gets its time before it is written, and several programs may write to the database. */
const timeTolerance = 5000;

/** The messages and parts of one session read so far. Later reads take only new and changed rows. */
export class RowsRead {
  readonly #messages = new TableRead('message', messageData);
  readonly #parts = new TableRead('part', partData);
  readonly #partsOf = new Map<string, Map<string, ReadRow<PartData>>>();
  readonly #stored = new Map<string, StoredMessage>();
  /** Ids of missing messages that have parts. */
  readonly #orphaned = new Set<string>();
  /** The first part with each call id. Two calls may have the same id. */
  readonly #callOwners = new Map<string, string>();

  constructor(readonly session: string) {}

  /** Returns the ids of new, changed and deleted messages. */
  readOn(database: Database, now: number): ReadonlySet<string> {
    const messages = this.#messages.readOn(database, this.session, now);
    const parts = this.#parts.readOn(database, this.session, now);
    for (const part of parts.written) this.#takePart(part);
    for (const part of parts.deleted) this.#partsOf.get(part.row.message_id ?? '')?.delete(part.row.id);
    const rows = [...messages.written, ...messages.deleted].map(({ row }) => row.id);
    const touched = new Set([...rows, ...[...parts.written, ...parts.deleted].map(({ row }) => row.message_id ?? '')]);
    for (const id of touched) this.#store(id);
    return touched;
  }

  message(id: string): StoredMessage | undefined {
    return this.#stored.get(id);
  }

  ownsCallId(callId: string, partId: string): boolean {
    return this.#callOwners.get(callId) === partId;
  }

  /** Milliseconds since the epoch; 0 if there are no rows. */
  get updated(): number {
    return Math.max(this.#messages.newest, this.#parts.newest);
  }

  /** Parts of missing messages. */
  orphans(): IssueAtLine[] {
    return [...this.#orphaned].map((id) => ({
      line: 0,
      message: localizable(
        'The message {0} is missing, but the database has {1} parts of it',
        id,
        this.#partsOf.get(id)?.size ?? 0,
      ),
    }));
  }

  #takePart(part: ReadRow<PartData>): void {
    const message = part.row.message_id ?? '';
    const parts = this.#partsOf.get(message) ?? new Map<string, ReadRow<PartData>>();
    parts.set(part.row.id, part);
    this.#partsOf.set(message, parts);
    const callId = part.data?.callID ?? null;
    if (callId !== null && !this.#callOwners.has(callId)) this.#callOwners.set(callId, part.row.id);
  }

  #store(id: string): void {
    const row = this.#messages.row(id);
    const parts = this.#partsOf.get(id);
    if (row === undefined) this.#stored.delete(id);
    else this.#stored.set(id, storedMessage(row, parts?.values() ?? []));
    if (row === undefined && parts !== undefined && parts.size > 0) this.#orphaned.add(id);
    else this.#orphaned.delete(id);
  }
}

interface Changes<Data> {
  readonly written: readonly ReadRow<Data>[];
  readonly deleted: readonly ReadRow<Data>[];
}

const beginning: ReadPosition = { rowid: -Number.MAX_VALUE, since: -Number.MAX_VALUE };

/** The rows of one table that belong to one session. */
class TableRead<Data> {
  readonly #rows = new Map<string, ReadRow<Data>>();
  /** The row with the highest rowid. If the clock was set back, it does not have the highest time. */
  #last: { rowid: number; updated: number } = { rowid: 0, updated: 0 };
  /** Milliseconds since the epoch. */
  newest = 0;

  constructor(
    private readonly table: DataTable,
    private readonly schema: s.Tolerant<Data>,
  ) {}

  row(id: string): ReadRow<Data> | undefined {
    return this.#rows.get(id);
  }

  readOn(database: Database, session: string, now: number): Changes<Data> {
    const written = this.#take(rowsSince(database, this.table, session, this.#position(now)));
    if (countRows(database, this.table, session) === this.#rows.size) return { written, deleted: [] };
    const present = rowIds(database, this.table, session);
    const deleted = this.#removeDeleted(present);
    // New rows may have an old rowid and an old time.
    if (present.size > this.#rows.size)
      append(written, this.#take(rowsSince(database, this.table, session, beginning)));
    return { written, deleted };
  }

  /** Returns the rows that changed. */
  #take(rows: readonly DataRow[]): ReadRow<Data>[] {
    const written = rows
      .filter((row) => !isSameRow(this.#rows.get(row.id)?.row, row))
      .map((row) => ({ row, data: dataIn(this.schema, row.data) }));
    for (const row of written) this.#rows.set(row.row.id, row);
    for (const row of rows) this.#note(row);
    return written;
  }

  /** The present time is a limit, because the clock may have been ahead when the newest row was written. */
  #position(now: number): ReadPosition {
    return { rowid: this.#last.rowid, since: Math.min(this.newest, this.#last.updated, now) - timeTolerance };
  }

  #note({ rowid, time_updated: updated }: DataRow): void {
    if (rowid >= this.#last.rowid) this.#last = { rowid, updated: updated ?? this.#last.updated };
    this.newest = Math.max(this.newest, updated ?? 0);
  }

  #removeDeleted(present: ReadonlySet<string>): ReadRow<Data>[] {
    const deleted = [...this.#rows.values()].filter(({ row }) => !present.has(row.id));
    for (const { row } of deleted) this.#rows.delete(row.id);
    return deleted;
  }
}

/** Rows written shortly before the newest one are read again, although most did not change. */
function isSameRow(before: DataRow | undefined, row: DataRow): boolean {
  if (before?.data !== row.data || before.message_id !== row.message_id) return false;
  if (before.time_created !== row.time_created) return false;
  return (before.time_updated === null) === (row.time_updated === null);
}

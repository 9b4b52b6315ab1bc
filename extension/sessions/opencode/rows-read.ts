import { append } from '../records/append';
import type { IssueAtLine } from '../records/issues';
import { asName } from '../records/json';
import { type ReadRow, readRow, type StoredMessage, storedMessage } from './message';
import { countRows, type DataRow, type DataTable, rowIds, rowsSince, type Seen } from './rows';
import type { Database } from './sqlite';

/** Milliseconds. Rows get their time before they are in the database, and several programs may write to it. */
const slack = 5000;

/** The messages and parts of one session as far as they were read. Only what was written since is read again. */
export class RowsRead {
  readonly #messages = new TableRead('message');
  readonly #parts = new TableRead('part');
  readonly #partsOf = new Map<string, Map<string, ReadRow>>();
  readonly #stored = new Map<string, StoredMessage>();
  /** Ids of messages that are not there, though parts of them are. */
  readonly #orphaned = new Set<string>();
  /** Which part has a call id for itself: a model may give two calls the same one. */
  readonly #callOwners = new Map<string, string>();

  constructor(readonly session: string) {}

  /** Ids of the messages that are new, changed or gone. */
  readOn(database: Database, now: number): ReadonlySet<string> {
    const messages = this.#messages.readOn(database, this.session, now);
    const parts = this.#parts.readOn(database, this.session, now);
    for (const part of parts.written) this.#takePart(part);
    for (const part of parts.gone) this.#partsOf.get(part.row.messageId ?? '')?.delete(part.row.id);
    const rows = [...messages.written, ...messages.gone].map(({ row }) => row.id);
    const touched = new Set([...rows, ...[...parts.written, ...parts.gone].map(({ row }) => row.messageId ?? '')]);
    for (const id of touched) this.#store(id);
    return touched;
  }

  message(id: string): StoredMessage | undefined {
    return this.#stored.get(id);
  }

  ownsCallId(callId: string, partId: string): boolean {
    return this.#callOwners.get(callId) === partId;
  }

  /** Milliseconds since the epoch; 0 where there are no rows. */
  get updated(): number {
    return Math.max(this.#messages.newest, this.#parts.newest);
  }

  /** Parts of messages that are not there. */
  orphans(): IssueAtLine[] {
    return [...this.#orphaned].map((id) => ({
      line: 0,
      message: `${this.#partsOf.get(id)?.size ?? 0} parts of the message ${id} are there, but it is not`,
    }));
  }

  #takePart(part: ReadRow): void {
    const message = part.row.messageId ?? '';
    const parts = this.#partsOf.get(message) ?? new Map<string, ReadRow>();
    parts.set(part.row.id, part);
    this.#partsOf.set(message, parts);
    const callId = asName(part.data?.callID);
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

interface Changes {
  readonly written: readonly ReadRow[];
  readonly gone: readonly ReadRow[];
}

const unseen: Seen = { rowid: -Number.MAX_VALUE, since: -Number.MAX_VALUE };

/** The rows of one table that belong to one session. */
class TableRead {
  readonly #rows = new Map<string, ReadRow>();
  /** Of the row with the highest number: where a clock was set back, that is not the highest time. */
  #last: { rowid: number; updated: number } = { rowid: 0, updated: 0 };
  /** Milliseconds since the epoch. */
  newest = 0;

  constructor(private readonly table: DataTable) {}

  row(id: string): ReadRow | undefined {
    return this.#rows.get(id);
  }

  readOn(database: Database, session: string, now: number): Changes {
    const written = this.#take(rowsSince(database, this.table, session, this.#seen(now)));
    if (countRows(database, this.table, session) === this.#rows.size) return { written, gone: [] };
    const present = rowIds(database, this.table, session);
    const gone = this.#forgetGone(present);
    // Rows came whose number and time are both old.
    if (present.size > this.#rows.size) append(written, this.#take(rowsSince(database, this.table, session, unseen)));
    return { written, gone };
  }

  /** Those that say something new. */
  #take(rows: readonly DataRow[]): ReadRow[] {
    const written = rows.filter((row) => !isSame(this.#rows.get(row.id)?.row, row)).map(readRow);
    for (const row of written) this.#rows.set(row.row.id, row);
    for (const row of rows) this.#note(row);
    return written;
  }

  /** A clock that was ahead when the newest row was written may be right by now. */
  #seen(now: number): Seen {
    return { rowid: this.#last.rowid, since: Math.min(this.newest, this.#last.updated, now) - slack };
  }

  #note({ rowid, updated }: DataRow): void {
    if (rowid >= this.#last.rowid) this.#last = { rowid, updated: updated ?? this.#last.updated };
    this.newest = Math.max(this.newest, updated ?? 0);
  }

  #forgetGone(present: ReadonlySet<string>): ReadRow[] {
    const gone = [...this.#rows.values()].filter(({ row }) => !present.has(row.id));
    for (const { row } of gone) this.#rows.delete(row.id);
    return gone;
  }
}

/** Rows that were only looked at again, because they were written a moment before the newest one. */
function isSame(before: DataRow | undefined, row: DataRow): boolean {
  if (before?.data !== row.data || before.created !== row.created || before.messageId !== row.messageId) return false;
  return (before.updated === null) === (row.updated === null);
}

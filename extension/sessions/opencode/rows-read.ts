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
  /** Which part has a call id for itself: a model may give two calls the same one. */
  readonly #callOwners = new Map<string, string>();

  constructor(readonly session: string) {}

  /** Ids of the messages that are new, changed or gone. */
  readOn(database: Database): ReadonlySet<string> {
    const messages = this.#messages.readOn(database, this.session);
    const parts = this.#parts.readOn(database, this.session);
    for (const part of parts.written) this.#takePart(part);
    for (const part of parts.gone) this.#partsOf.get(part.row.messageId ?? '')?.delete(part.row.id);
    const rows = [...messages.written, ...messages.gone].map(({ row }) => row.id);
    const touched = new Set([...rows, ...[...parts.written, ...parts.gone].map(({ row }) => row.messageId ?? '')]);
    for (const id of touched) this.#store(id);
    return touched;
  }

  /** In no order. */
  get messages(): Iterable<StoredMessage> {
    return this.#stored.values();
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
    return [...this.#partsOf.entries()]
      .filter(([id, parts]) => parts.size > 0 && !this.#stored.has(id))
      .map(([id, parts]) => ({
        line: 0,
        message: `${parts.size} parts of the message ${id} are there, but it is not`,
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
    if (row === undefined) this.#stored.delete(id);
    else this.#stored.set(id, storedMessage(row, this.#partsOf.get(id)?.values() ?? []));
  }
}

interface Changes {
  readonly written: readonly ReadRow[];
  readonly gone: readonly ReadRow[];
}

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

  readOn(database: Database, session: string): Changes {
    const rows = rowsSince(database, this.table, session, this.#seen());
    const written = rows.filter((row) => !isSame(this.#rows.get(row.id)?.row, row)).map(readRow);
    for (const row of written) this.#rows.set(row.row.id, row);
    for (const row of rows) this.#note(row);
    const isComplete = countRows(database, this.table, session) === this.#rows.size;
    return { written, gone: isComplete ? [] : this.#forgetGone(rowIds(database, this.table, session)) };
  }

  #seen(): Seen {
    return { rowid: this.#last.rowid, since: Math.min(this.newest, this.#last.updated) - slack };
  }

  #note({ rowid, updated }: DataRow): void {
    if (rowid >= this.#last.rowid) this.#last = { rowid, updated };
    this.newest = Math.max(this.newest, updated);
  }

  #forgetGone(present: ReadonlySet<string>): ReadRow[] {
    const gone = [...this.#rows.values()].filter(({ row }) => !present.has(row.id));
    for (const { row } of gone) this.#rows.delete(row.id);
    return gone;
  }
}

/** Rows that were only looked at again, because they were written a moment before the newest one. */
function isSame(before: DataRow | undefined, row: DataRow): boolean {
  return before?.data === row.data && before.created === row.created && before.messageId === row.messageId;
}

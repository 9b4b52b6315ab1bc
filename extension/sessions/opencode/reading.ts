import type { StoreOpening } from '../adapter';
import { addressText } from '../address';
import { stampOf } from '../files/files-stamp';
import type { NoFile } from '../files/with-file';
import type { ReadOn, SessionReading } from '../reading';
import type { ParentSession, ParsedSession } from '../session';
import { readDatabase, walOf } from './database';
import { callThatStarted, childSessions, isOpenCode, rootSessions, type SessionRow, sessionRow } from './rows';
import { RowsRead } from './rows-read';
import { SessionBuilding } from './session-building';
import type { Database } from './sqlite';

/** One session of the database, as it was at the newest look. */
export class OpenCodeReading implements SessionReading {
  readonly watched: readonly string[];
  readonly tornLine = null;
  version = 0;
  parsed: ParsedSession;
  #modified: number;

  private constructor(
    private readonly file: string,
    private readonly key: string,
    private readonly rows: RowsRead,
    private readonly building: SessionBuilding,
    private state: { print: string; row: SessionRow; children: readonly SessionRow[] },
  ) {
    this.watched = [file, walOf(file)];
    this.parsed = building.session(state.row, state.children);
    this.#modified = Math.max(state.row.updated ?? 0, rows.updated);
  }

  get modified(): number {
    return this.#modified;
  }

  static async open(file: string, key: string | null): Promise<StoreOpening> {
    const print = await printOf(file);
    const opening = await readDatabase(file, (database) => begin(database, file, key));
    if (opening.kind === 'directory') return { kind: 'unreadable', message: opening.message };
    if (opening.kind !== 'begun') return { kind: opening.kind, message: opening.message };
    const { rows, row, children, building } = opening;
    return { kind: 'reading', reading: new OpenCodeReading(file, row.id, rows, building, { print, row, children }) };
  }

  async readOn(): Promise<ReadOn> {
    const print = await printOf(this.file);
    if (print === this.state.print) return { kind: 'unchanged' };
    const outcome = await readDatabase(this.file, (database) => this.#look(database));
    if (outcome.kind !== 'looked') return outcome;
    const { row, children, touched } = outcome;
    const isSame = touched.size === 0 && JSON.stringify([row, children]) === JSON.stringify(this.#rowsShown());
    this.state = { print, row, children };
    if (isSame) return { kind: 'unchanged' };
    this.building.take(touched);
    this.parsed = this.building.session(row, children);
    this.#modified = Math.max(row.updated ?? 0, this.rows.updated);
    this.version += 1;
    return { kind: 'read' };
  }

  #look(database: Database): Looked | NoFile {
    if (!isOpenCode(database)) {
      return { kind: 'unreadable', message: `${this.file} is no database of OpenCode any more` };
    }
    const row = sessionRow(database, this.key);
    if (row === null) return { kind: 'missing', message: `${this.file} has no session ${this.key} any more` };
    return {
      kind: 'looked',
      row,
      children: childSessions(database, this.key),
      touched: this.rows.readOn(database, Date.now()),
    };
  }

  #rowsShown(): unknown {
    return [this.state.row, this.state.children];
  }
}

interface Looked {
  readonly kind: 'looked';
  readonly row: SessionRow;
  readonly children: readonly SessionRow[];
  readonly touched: ReadonlySet<string>;
}

interface Begun {
  readonly kind: 'begun';
  readonly row: SessionRow;
  readonly children: readonly SessionRow[];
  readonly rows: RowsRead;
  readonly building: SessionBuilding;
}

type Begin = Begun | { readonly kind: 'missing' | 'foreign' | 'empty'; readonly message: string };

function begin(database: Database, file: string, key: string | null): Begin {
  if (!isOpenCode(database)) return { kind: 'foreign', message: `${file} is no database of OpenCode` };
  const found = key === null ? onlySession(database, file) : sessionRow(database, key);
  if (found === null) return { kind: 'missing', message: `${file} has no session ${key}` };
  if ('kind' in found) return found;
  const rows = new RowsRead(found.id);
  const building = new SessionBuilding(file, rows, parentOf(database, file, found));
  building.take(rows.readOn(database, Date.now()));
  return { kind: 'begun', row: found, children: childSessions(database, found.id), rows, building };
}

function onlySession(database: Database, file: string): SessionRow | Exclude<Begin, Begun> {
  const roots = rootSessions(database);
  const [only] = roots;
  if (only === undefined) return { kind: 'empty', message: `${file} has no sessions` };
  if (roots.length === 1) return only;
  return { kind: 'missing', message: `${file} has ${roots.length} sessions: name one, as in ${file}#${only.id}` };
}

function parentOf(database: Database, file: string, { id, parentId }: SessionRow): ParentSession | null {
  if (parentId === null) return null;
  const isThere = sessionRow(database, parentId) !== null;
  return {
    file: isThere ? addressText({ file, key: parentId }) : null,
    callId: isThere ? callThatStarted(database, parentId, id) : null,
  };
}

/** Differs after every change to the database: each one alters the file or the log beside it. */
async function printOf(file: string): Promise<string> {
  return await stampOf([file, walOf(file)]);
}

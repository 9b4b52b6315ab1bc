import { type LocalizableText, localizable } from '../../../engine/wording/localizable-text';
import { stampOf } from '../../../platform/files/files-stamp';
import type { NoFile } from '../../../platform/files/with-file';
import type { StoreOpening } from '../../../sessions/adapter';
import { addressText } from '../../../sessions/address';
import type { ReadOn, SessionReading } from '../../../sessions/reading';
import type { AgentId, ParentSession, ParsedSession } from '../../../sessions/session';
import { readDatabase, walOf } from './database';
import { callThatStarted, childSessions, isOpenCode, rootSessions, type SessionRow, sessionRow } from './rows';
import { RowsRead } from './rows-read';
import { SessionBuilding } from './session-building';
import type { Database } from './sqlite';

/** One session of the database, as of the last read. */
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
    private state: { stamp: string; row: SessionRow; children: readonly SessionRow[] },
  ) {
    this.watched = [file, walOf(file)];
    this.parsed = building.session(state.row, state.children);
    this.#modified = Math.max(state.row.time_updated ?? 0, rows.updated);
  }

  get modified(): number {
    return this.#modified;
  }

  static async open(file: string, key: string | null, agent: AgentId): Promise<StoreOpening> {
    const stamp = await stampOfDatabase(file);
    const opening = await readDatabase(file, (database) => begin(database, file, key, agent));
    if (opening.kind === 'directory') return { kind: 'unreadable', message: opening.message };
    if (opening.kind !== 'begun') return { kind: opening.kind, message: opening.message };
    const { rows, row, children, building } = opening;
    return { kind: 'reading', reading: new OpenCodeReading(file, row.id, rows, building, { stamp, row, children }) };
  }

  async readOn(): Promise<ReadOn> {
    const stamp = await stampOfDatabase(this.file);
    if (stamp === this.state.stamp) return { kind: 'unchanged' };
    const outcome = await readDatabase(this.file, (database) => this.#readRows(database));
    if (outcome.kind !== 'rows') return outcome;
    const { row, children, touched } = outcome;
    const isSame =
      touched.size === 0 && JSON.stringify([row, children]) === JSON.stringify([this.state.row, this.state.children]);
    this.state = { stamp, row, children };
    if (isSame) return { kind: 'unchanged' };
    this.building.take(touched);
    this.parsed = this.building.session(row, children);
    this.#modified = Math.max(row.time_updated ?? 0, this.rows.updated);
    this.version += 1;
    return { kind: 'read' };
  }

  #readRows(database: Database): ReadRows | NoFile {
    if (!isOpenCode(database)) {
      return { kind: 'unreadable', message: localizable('{0} is no longer an OpenCode database', this.file) };
    }
    const row = sessionRow(database, this.key);
    if (row === null)
      return { kind: 'missing', message: localizable('{0} no longer has the session {1}', this.file, this.key) };
    return {
      kind: 'rows',
      row,
      children: childSessions(database, this.key),
      touched: this.rows.readOn(database, Date.now()),
    };
  }
}

interface ReadRows {
  readonly kind: 'rows';
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

type Begin = Begun | { readonly kind: 'missing' | 'foreign' | 'empty'; readonly message: LocalizableText };

function begin(database: Database, file: string, key: string | null, agent: AgentId): Begin {
  if (!isOpenCode(database)) return { kind: 'foreign', message: localizable('{0} is not an OpenCode database', file) };
  const found = key === null ? onlySession(database, file) : sessionRow(database, key);
  if (found === null) return { kind: 'missing', message: localizable('{0} has no session {1}', file, key ?? '') };
  if ('kind' in found) return found;
  const rows = new RowsRead(found.id);
  const building = new SessionBuilding(agent, file, rows, parentOf(database, file, found));
  building.take(rows.readOn(database, Date.now()));
  return { kind: 'begun', row: found, children: childSessions(database, found.id), rows, building };
}

function onlySession(database: Database, file: string): SessionRow | Exclude<Begin, Begun> {
  const roots = rootSessions(database);
  const [only] = roots;
  if (only === undefined) return { kind: 'empty', message: localizable('{0} has no sessions', file) };
  if (roots.length === 1) return only;
  return {
    kind: 'missing',
    message: localizable('{0} has {1} sessions: add the id of one, as in {2}#{3}', file, roots.length, file, only.id),
  };
}

function parentOf(database: Database, file: string, { id, parent_id: parentId }: SessionRow): ParentSession | null {
  if (parentId === null) return null;
  const isThere = sessionRow(database, parentId) !== null;
  return {
    file: isThere ? addressText({ file, key: parentId }) : null,
    callId: isThere ? callThatStarted(database, parentId, id) : null,
  };
}

/** Every change to the database changes the file or its write-ahead log. */
async function stampOfDatabase(file: string): Promise<string> {
  return await stampOf([file, walOf(file)]);
}

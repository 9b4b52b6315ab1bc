import { basename, join } from 'node:path';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import type { StoredOutline, StoreFormat, StoreListing } from '../adapter';
import { dataFolder } from '../files/data-folder';
import { type IssueAtLine, IssueList } from '../records/issues';
import { titleOf } from '../records/title';
import type { MessageData } from './data';
import { readDatabase, walOf } from './database';
import { OpenCodeReading } from './reading';
import { isOpenCode, newestMessage, rootSessions, type SessionRow } from './rows';
import { knownSubagents } from './session-building';
import type { Database } from './sqlite';

/** OpenCode stores all sessions of a person in one SQLite database. */
export const openCode: StoreFormat = {
  kind: 'store',
  agent: 'opencode',
  roots: (environment) => [join(dataFolder(environment), 'opencode')],
  foldersBelowRoot: 0,
  mayBeSession,
  // No other agent uses a database. Its tables are checked when it is opened.
  recognises: (_file, beginning) => beginning.subarray(0, magic.length).equals(magic),
  companions: (file) => [walOf(file)],
  list,
  open: (file, key) => OpenCodeReading.open(file, key),
  subagentsOf: async (session) => knownSubagents(session),
  resume: ({ id }) => ['opencode', '--session', id],
};

const magic = Buffer.from('SQLite format 3\0', 'latin1');

/** `opencode.db`; development builds add the name of their channel. */
function mayBeSession(path: string): boolean {
  return /^opencode(-[\w.-]+)?\.db$/.test(basename(path));
}

async function list(file: string): Promise<StoreListing> {
  const outcome = await readDatabase(file, (database) => listed(database, file));
  if (outcome.kind === 'listed') return outcome.listing;
  return { sessions: [], issues: [{ file, line: 0, message: outcome.message }] };
}

type Listed =
  | { readonly kind: 'listed'; readonly listing: StoreListing }
  | { readonly kind: 'unreadable'; readonly message: LocalizableText };

function listed(database: Database, file: string): Listed {
  if (!isOpenCode(database)) return { kind: 'unreadable', message: localizable('This is not an OpenCode database') };
  // A session with an empty id has no address.
  const rows = rootSessions(database).filter(({ id }) => id !== '');
  const issues = new IssueList(file).list(rows.flatMap(rowIssues));
  return { kind: 'listed', listing: { sessions: rows.map((row) => outline(database, row)), issues } };
}

function rowIssues({ id, time_updated: updated }: SessionRow): IssueAtLine[] {
  return updated === null ? [{ line: 0, message: localizable('The time of the session {0} is not valid', id) }] : [];
}

function outline(database: Database, row: SessionRow): StoredOutline {
  const newest = newestMessage(database, row.id);
  return {
    id: row.id,
    key: row.id,
    cwd: row.directory,
    title: row.title === null ? null : titleOf(row.title),
    ...(row.time_updated === null ? {} : { modified: row.time_updated }),
    awaitsReply: newest?.data ? awaits(newest.data) : false,
    ...(newest === null ? { isUnlisted: true } : {}),
  };
}

/** From the newest message alone. Its parts are not read, so open calls are not considered. */
function awaits(newest: MessageData): boolean {
  if (newest.role !== 'assistant') return newest.role === 'user';
  return newest.error === null && newest.time.completed === null;
}

import { basename, join } from 'node:path';
import { contextTokensOf } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import { dataFolder } from '../../../platform/files/data-folder';
import type { UserFolders } from '../../../platform/files/environment';
import type { NoFile } from '../../../platform/files/with-file';
import type { SettingsPlace, StoredOutline, StoreFormat, StoreListing } from '../../../sessions/adapter';
import { contextWindowOf } from '../../../sessions/model-windows';
import { inFolder } from '../../../sessions/own-compaction/own-compaction';
import { type IssueAtLine, IssueList } from '../../../sessions/records/issues';
import { titleOf } from '../../../sessions/records/title';
import type { AgentId, ContextFill } from '../../../sessions/session';
import { usageOf } from './content';
import type { MessageData } from './data';
import { readDatabase, walOf } from './database';
import { openCodeSize } from './own-size';
import { OpenCodeReading } from './reading';
import { firstPromptText, isOpenCode, newestMessages, rootSessions, type SessionRow } from './rows';
import { givenTitle } from './session-building';
import type { Database } from './sqlite';

/** OpenCode, or a program made from it. */
interface DatabaseProgram {
  readonly agent: AgentId;
  /** Its command, which is also the name of its data folder and of its database. */
  readonly name: string;
}

/** A program that stores all sessions of a person in one SQLite database with OpenCode's tables. */
export function databaseFormat({ agent, name }: DatabaseProgram): StoreFormat {
  // Development builds add the name of their channel.
  const databaseName = new RegExp(`^${name}(-[\\w.-]+)?\\.db$`);
  return {
    kind: 'store',
    agent,
    roots: (environment) => [join(dataFolder(environment), name)],
    foldersBelowRoot: 0,
    mayBeSession: (path) => databaseName.test(basename(path)),
    // The tables are checked when it is opened.
    recognises: (file, beginning) => databaseName.test(basename(file)) && isDatabase(beginning),
    companions: (file) => [walOf(file)],
    list,
    open: (file, key) => OpenCodeReading.open(file, key, agent),
    resume: ({ id }) => [name, '--session', id],
  };
}

/** Takes databases of any name, because a person may have copied one. */
export const openCode: StoreFormat = {
  ...databaseFormat({ agent: 'opencode', name: 'opencode' }),
  recognises: (_file, beginning) => isDatabase(beginning),
  ownCompaction: { settingsFiles, size: openCodeSize },
};

/** OpenCode's configuration folder. */
export function openCodeFolder({ home, variables }: UserFolders): string {
  return join(variables.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');
}

function settingsFiles(place: SettingsPlace): readonly string[] {
  const { variables } = place;
  const folder = openCodeFolder(place);
  const names = ['opencode.json', 'opencode.jsonc'];
  return [
    ...['config.json', ...names].map((name) => join(folder, name)),
    ...(variables.OPENCODE_CONFIG ? [variables.OPENCODE_CONFIG] : []),
    ...names.flatMap((name) => inFolder(place, (cwd) => join(cwd, name))),
    ...names.flatMap((name) => inFolder(place, (cwd) => join(cwd, '.opencode', name))),
  ];
}

const magic = Buffer.from('SQLite format 3\0', 'latin1');

function isDatabase(beginning: Buffer): boolean {
  return beginning.subarray(0, magic.length).equals(magic);
}

async function list(file: string): Promise<StoreListing> {
  const outcome = await readDatabase(file, (database) => listed(database, file));
  return 'sessions' in outcome ? outcome : { sessions: [], issues: [{ file, line: 0, message: outcome.message }] };
}

function listed(database: Database, file: string): StoreListing | NoFile {
  if (!isOpenCode(database)) return { kind: 'unreadable', message: localizable('This is not an OpenCode database') };
  // A session with an empty id has no address.
  const rows = rootSessions(database).filter(({ id }) => id !== '');
  const issues = new IssueList(file).list(rows.flatMap(rowIssues));
  return { sessions: rows.map((row) => outline(database, row)), issues };
}

function rowIssues({ id, time_updated: updated }: SessionRow): IssueAtLine[] {
  return updated === null ? [{ line: 0, message: localizable('The time of the session {0} is not valid', id) }] : [];
}

function outline(database: Database, row: SessionRow): StoredOutline {
  const messages = newestMessages(database, row.id, fillMessages);
  const [newest] = messages;
  const fill = fillOf(messages);
  return {
    id: row.id,
    key: row.id,
    cwd: row.directory,
    title: givenTitle(row) ?? titleOf(firstPromptText(database, row.id) ?? ''),
    ...(row.time_updated === null ? {} : { modified: row.time_updated }),
    awaitsReply: newest ? awaits(newest) : false,
    ...(fill === null ? {} : { fill }),
    ...(newest === undefined ? { isUnlisted: true } : {}),
  };
}

/** Maximum number of newest messages searched for a reply that reports its tokens. */
const fillMessages = 8;

/** A summary's report is about what it replaced, so nothing older than it counts. */
function fillOf(newestFirst: readonly (MessageData | null)[]): ContextFill | null {
  const reply = newestFirst.find((message) => message?.summary || (message?.tokens && totalOf(message.tokens) > 0));
  if (!reply?.tokens || reply.summary) return null;
  return { tokens: totalOf(reply.tokens), window: contextWindowOf(reply.modelID) };
}

function totalOf(tokens: NonNullable<MessageData['tokens']>): number {
  const usage = usageOf(tokens);
  return usage === null ? 0 : contextTokensOf(usage);
}

/** Whether the session awaits a reply, by its newest message alone. The parts are not read, so open calls do not count. */
function awaits(newest: MessageData): boolean {
  if (newest.role !== 'assistant') return newest.role === 'user';
  return newest.error === null && newest.time.completed === null;
}

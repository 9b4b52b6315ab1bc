import { join, resolve } from 'node:path';
import { processEnvironment } from '../platform/files/environment';
import { OutlineCache } from '../sessions/catalogue/outline-cache';
import { discoverSessions } from '../sessions/discover';
import { type AgentId, agentNames, type SessionSummary } from '../sessions/session';
import { cacheFolder } from './default-folders';
import { print, printJson, warn } from './output';

interface ListOptions {
  readonly json?: boolean;
  readonly limit: number;
  readonly agent?: AgentId;
  /** Working folder of the session; sessions of its subfolders are included. */
  readonly folder?: string;
  readonly title?: string;
  readonly live?: boolean;
}

export async function listSessions(options: ListOptions): Promise<void> {
  const cache = await OutlineCache.open(join(cacheFolder(), 'sessions.jsonl'));
  const isFiltered = options.agent ?? options.folder ?? options.title ?? options.live;
  // A filter must see all sessions before the limit is applied.
  const limit = isFiltered === undefined ? { limit: options.limit } : {};
  const found = await discoverSessions(processEnvironment(), { ...limit, cache });
  for (const issue of found.issues) warn(`${issue.file}: ${issue.message}`);
  const sessions = found.sessions.filter((session) => isAskedFor(session, options)).slice(0, options.limit);
  if (options.json) printJson({ sessions: sessions.map(sessionAsJson) });
  else if (sessions.length === 0) print(nothingFound(isFiltered !== undefined));
  else for (const session of sessions) print(sessionAsText(session));
}

function isAskedFor({ agent, cwd, title, live }: SessionSummary, options: ListOptions): boolean {
  if (options.agent !== undefined && agent !== options.agent) return false;
  if (options.live && !live) return false;
  if (options.folder !== undefined && !isWithin(cwd, resolve(options.folder))) return false;
  return options.title === undefined || (title ?? '').toLowerCase().includes(options.title.toLowerCase());
}

function isWithin(cwd: string | null, folder: string): boolean {
  return cwd !== null && (cwd === folder || cwd.startsWith(join(folder, '/')));
}

function sessionAsJson(session: SessionSummary) {
  return { ...session, modified: new Date(session.modified).toISOString() };
}

function sessionAsText({ agent, modified, live, title, cwd, file }: SessionSummary): string {
  const when = new Date(modified).toISOString().slice(0, 16).replace('T', ' ');
  return `${when}  ${agentNames[agent]}${live ? ' (live)' : ''}  ${title ?? '(no title)'}  ${cwd ?? ''}\n    ${file}`;
}

function nothingFound(isFiltered: boolean): string {
  if (isFiltered) return 'No session matches.';
  const { strata: _own, ...others } = agentNames;
  return `No sessions were found in the folders of ${Object.values(others).join(', ')}.`;
}

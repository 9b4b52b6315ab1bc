import { basename } from 'node:path';
import type { AgentEnvironment } from '../platform/files/environment';
import { filesBelow } from '../platform/files/folder-walk';
import type { SessionAdapter } from '../sessions/adapter';
import { adapterOf } from '../sessions/adapters';
import { discoverSessions } from '../sessions/discover';
import { openSession } from '../sessions/open';
import type { AgentId, Session } from '../sessions/session';
import type { AgentRequest } from './exchange';
import { chooseSession } from './mcp/which-session';

export interface SessionRef {
  readonly agent: AgentId;
  readonly session: string;
  readonly file: string | null;
}

export type NamedRequest = AgentRequest & { readonly session: string };

/** The request, with the session that it names, or else the newest one in its folder. Throws `NoTarget` if there is none. */
export async function withSession(
  agent: AgentId,
  request: AgentRequest,
  environment: AgentEnvironment,
): Promise<NamedRequest> {
  const { session, folder } = request;
  if (session !== null) return { ...request, session };
  const { sessions } = await discoverSessions(environment, { adapters: [adapterOf(agent)] });
  const caller = { agent, session, folder: folder ?? '', parent: process.pid, environment, allProjects: true };
  const chosen = await chooseSession(null, sessions, caller);
  return { ...request, session: chosen.session.id, file: chosen.session.file };
}

/** Opens the session that an agent names: by its file if that is known, else by its id. If that fails, returns the reason. */
export async function openSessionRef(asked: SessionRef, environment: AgentEnvironment): Promise<Session | string> {
  const adapter = adapterOf(asked.agent);
  const address =
    asked.file ??
    (await fileNamed(adapter, asked.session, environment)) ??
    (await listed(adapter, asked.session, environment));
  if (address === null) return `the session ${asked.session} is not on disk yet.`;
  const outcome = await openSession(address, { adapter, environment });
  if (outcome.kind !== 'opened') return `${outcome.message}.`;
  const { id } = outcome.session;
  return id === asked.session ? outcome.session : `${address} is the session ${id}, not ${asked.session}.`;
}

/** Most agents name the file after the session, so that nothing has to be read. */
async function fileNamed(
  { roots, foldersBelowRoot, mayBeSession }: SessionAdapter,
  id: string,
  environment: AgentEnvironment,
): Promise<string | null> {
  for (const root of roots(environment)) {
    const { files } = await filesBelow(root, foldersBelowRoot);
    const found = files.filter((file) => basename(file).includes(id) && mayBeSession(file));
    if (found.length === 1) return found[0] ?? null;
  }
  return null;
}

async function listed(adapter: SessionAdapter, id: string, environment: AgentEnvironment): Promise<string | null> {
  const { sessions } = await discoverSessions(environment, { adapters: [adapter] });
  return sessions.find((session) => session.id === id)?.file ?? null;
}

import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { findSession } from '../../inspection/lookup/find-session';
import { NoTarget, namedSession, namedText } from '../../inspection/tools/named-session';
import type { AgentEnvironment } from '../../platform/files/environment';
import { adapterOf } from '../../sessions/adapters';
import { type AgentId, agentNames, type SessionSummary } from '../../sessions/session';

/** Facts about the caller of the server. */
export interface Caller {
  /** The agent that started the server; null if it is not known. */
  readonly agent: AgentId | null;
  /** The session for which the server was started; null if it is not known. */
  readonly session: string | null;
  /** Where the agent works. */
  readonly folder: string;
  /** The person allowed the sessions of all projects. */
  readonly allProjects: boolean;
  /** The process that started the server. */
  readonly parent: number;
  readonly environment: AgentEnvironment;
}

interface ChosenSession {
  readonly session: SessionSummary;
  /** For the first line of the answer. Contains no text of the session. */
  readonly about: string;
}

/**
 * The sessions that the caller may read: those of its project, the one for which the server was started, and the one that the calling
 * process has open.
 */
export async function sessionsInReach(
  sessions: readonly SessionSummary[],
  caller: Caller,
): Promise<readonly SessionSummary[]> {
  const isInReach = reaches(caller);
  const own = await openInCaller(sessions, caller);
  const started = caller.session === null ? null : findSession(sessions, caller.session, [caller.folder]);
  const named = started?.kind === 'found' ? started.session : null;
  return sessions.filter((session) => session === own || session === named || isInReach(session));
}

/** Whether a session belongs to the project for which the server was started. */
function reaches({ folder, environment, allProjects }: Caller): (session: Pick<SessionSummary, 'cwd'>) => boolean {
  if (allProjects) return () => true;
  const project = projectOf(folder, environment.home);
  return ({ cwd }) => cwd !== null && isWithin(cwd, project);
}

/**
 * The repository that contains the folder, or else the folder itself. A repository in the home folder itself does not count as a project.
 */
function projectOf(folder: string, home: string): string {
  for (let each = folder; each !== home && each !== dirname(each); each = dirname(each)) {
    if (existsSync(join(each, '.git'))) return each;
  }
  return folder;
}

/** For the first line of answers. */
export const allProjectsText = 'This server reads the sessions of all projects (--all-projects).';

function outOfReachText(asked: string, { folder, environment }: Caller): string {
  return `No session of ${projectOf(folder, environment.home)} matches "${asked}", and this server reads no others. strata_session without fields lists the newest ones with their ids. The person can widen this for all projects: strata setup --all-projects.`;
}

/**
 * The session of a call, among those that it may read. The first of these that exists counts: the one that the call names, the one
 * for which the server was started, the one that the calling process has open, the one that the environment names, the newest live
 * one of the agent in the folder, the newest one there. Throws `NoTarget` if there is none, or if the session of the calling
 * process is not written yet.
 */
export async function chooseSession(
  asked: string | null,
  sessions: readonly SessionSummary[],
  caller: Caller,
): Promise<ChosenSession> {
  if (asked !== null) {
    const isUnknown = findSession(sessions, asked, [caller.folder]).kind === 'unknown';
    if (isUnknown && !caller.allProjects) throw new NoTarget(outOfReachText(asked, caller));
    return { session: namedSession(sessions, asked, [caller.folder]), about: namedText };
  }
  if (caller.session !== null) {
    const session = namedSession(sessions, caller.session, [caller.folder]);
    return { session, about: 'About the session that the server was started for; name another with "session".' };
  }
  const own = await openInCaller(sessions, caller);
  if (own !== undefined) return { session: own, about: 'About this conversation.' };
  if ((await idOfProcess(caller)) !== null) throw new NoTarget(notWritten);
  const newest = newestHere(sessions, caller);
  return idOfVariable(caller) === null ? newest : { ...newest, about: `${notFound} ${newest.about}` };
}

/** Agents write a new session only after its first steps. Another session would be the wrong one. */
const notWritten = 'This conversation is not on the disk yet. Call again after your next step.';

/** The variable may name a session that was deleted, or one that the agent does not store. In either case waiting does not help. */
const notFound = 'The session that the environment names was not found.';

async function openInCaller(sessions: readonly SessionSummary[], caller: Caller): Promise<SessionSummary | undefined> {
  const id = (await idOfProcess(caller)) ?? idOfVariable(caller);
  return sessions.find((session) => session.agent === caller.agent && session.id === id);
}

/** The session that the calling process has open; null if the agent does not record it. */
async function idOfProcess({ agent, parent, environment }: Caller): Promise<string | null> {
  return agent === null ? null : ((await adapterOf(agent).sessionOfProcess?.(parent, environment)) ?? null);
}

/** The variable was set when the server started. The agent may have begun another session since. */
function idOfVariable({ agent, environment }: Caller): string | null {
  const variable = agent === null ? undefined : adapterOf(agent).sessionVariable;
  return (variable && environment.variables[variable]) || null;
}

function newestHere(sessions: readonly SessionSummary[], { agent, folder }: Caller): ChosenSession {
  const here = sessions.filter((session) => (agent === null || session.agent === agent) && isAround(session, folder));
  const live = here.filter((session) => session.live);
  const [session] = live.length > 0 ? live : here;
  const whose = agent === null ? '' : ` of ${agentNames[agent]}`;
  if (session === undefined) {
    throw new NoTarget(
      `The session is unclear: there is none${whose} in ${folder}. Name one with "session"; strata_session without fields lists them.`,
    );
  }
  const which = live.length > 0 ? 'newest live session' : 'newest session, which is not live,';
  const others = live.length > 1 ? ` ${live.length - 1} more are live there.` : '';
  return { session, about: `About the ${which}${whose} in this folder; name another with "session".${others}` };
}

/** The session’s folder, or a folder in it: agents move into subfolders while they work. */
function isAround({ cwd }: SessionSummary, folder: string): boolean {
  return cwd !== null && isWithin(folder, cwd);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

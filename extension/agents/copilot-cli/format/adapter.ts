import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AgentEnvironment, UserFolders } from '../../../platform/files/environment';
import { namesIn } from '../../../platform/files/names-in';
import { inParallel } from '../../../platform/files/parallel';
import { isRunningSince } from '../../../platform/files/running-process';
import { orIfUnreadable } from '../../../platform/files/with-file';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import type { LineFormat, Occupancy } from '../../../sessions/adapter';
import { outlineBy } from '../../../sessions/records/outline';
import { copilotCliFork } from '../fork/fork';
import { CopilotCliBuilder } from './builder';
import { event, started } from './records';

export const copilotCli: LineFormat = {
  kind: 'lines',
  agent: 'copilot-cli',
  roots: (environment) => [stateFolder(environment)],
  // session-state/<session id>/events.jsonl
  foldersBelowRoot: 1,
  mayBeSession: (path) => basename(path) === 'events.jsonl',
  recognises,
  summarise: outlineBy(
    () => new CopilotCliBuilder(''),
    ({ title }) => title === null,
  ),
  createBuilder: (file) => new CopilotCliBuilder(file),
  createPartBuilder: (file, key) => new CopilotCliBuilder(file, key),
  occupancy,
  sessionOfProcess,
  resume: ({ id }) => ['copilot', `--resume=${id}`],
  fork: copilotCliFork,
};

/** `COPILOT_HOME` is documented by `copilot help environment`, version 1.0.102. */
export function copilotFolder({ home, variables }: UserFolders): string {
  return variables.COPILOT_HOME || join(home, '.copilot');
}

function stateFolder(environment: AgentEnvironment): string {
  return join(copilotFolder(environment), 'session-state');
}

/** The first event of every session is `session.start`, unless it was lost. */
function recognises(head: readonly string[]): boolean {
  const [first] = recordsOf(head);
  const { type, id, timestamp, data } = s.read(event, first);
  if (type === null || id === null || !s.isRecord(data)) return false;
  if (type === 'session.start') return s.read(started, data).sessionId !== null;
  return timestamp !== null && first?.parentId !== undefined && laterEvent.test(type);
}

const laterEvent = /^(session|user|assistant|system|tool|model|subagent|external_tool)\.\w+$/;

/** A running Copilot keeps `inuse.<pid>.lock` in the folder of each session that it has open. */
const lockFile = /^inuse\.(\d+)\.lock$/;
const foldersAtOnce = 16;

/** A session is left if processes that have ended left all of its locks. */
async function occupancy(environment: AgentEnvironment): Promise<Occupancy> {
  const [inUse, left] = [new Set<string>(), new Set<string>()];
  for (const { id, running } of await lockedSessions(environment)) (running.length > 0 ? inUse : left).add(id);
  return { inUse, left };
}

/** The session that this process has locked; null if it has locked none or several. */
async function sessionOfProcess(pid: number, environment: AgentEnvironment): Promise<string | null> {
  const own = (await lockedSessions(environment)).filter(({ running }) => running.includes(pid));
  return own.length === 1 ? (own[0]?.id ?? null) : null;
}

/** Sessions with locks, each with the locking processes that still run. */
async function lockedSessions(environment: AgentEnvironment) {
  const folder = stateFolder(environment);
  const found = await inParallel(await namesIn(folder), foldersAtOnce, async (id) => {
    const locks = (await namesIn(join(folder, id))).filter((name) => lockFile.test(name));
    const pids = await inParallel(locks, 1, (name) => pidOf(join(folder, id, name)));
    return locks.length > 0 ? [{ id, running: pids.filter((pid) => pid !== null) }] : [];
  });
  return found.flat();
}

/** Null if the process that locked it has ended, even if another process now has the same number. */
async function pidOf(lock: string): Promise<number | null> {
  const pid = Number(lockFile.exec(basename(lock))?.[1]);
  const found = await orIfUnreadable(stat(lock), null);
  return found !== null && (await isRunningSince(pid, found.mtimeMs)) ? pid : null;
}

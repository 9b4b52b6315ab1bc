import { join } from 'node:path';
import { parsedJson } from '../json/json-text';
import * as s from '../json/schemas';
import { namesIn } from './names-in';
import { isRunning } from './running-process';
import { textOf } from './text-of';

/** A running Claude Code, or Qwen Code, keeps `<pid>.json` here, and beside it a secret key, which is not read. */
const statusFile = /^\d+\.json$/;

/**
 * Ids of the sessions that running processes have open, and of those whose processes ended without removing their status file. An
 * unreadable status file counts as missing; the session's own file then shows whether it is live.
 */
export async function occupancyIn(
  configFolders: readonly string[],
): Promise<{ readonly inUse: ReadonlySet<string>; readonly left: ReadonlySet<string> }> {
  const [inUse, ended] = [new Set<string>(), new Set<string>()];
  for (const folder of configFolders.map((configFolder) => join(configFolder, 'sessions'))) {
    for (const name of await namesIn(folder)) {
      const { pid, sessionId } = statusFile.test(name) ? await statusOf(join(folder, name)) : nothing;
      if (sessionId !== null) (isRunning(pid) ? inUse : ended).add(sessionId);
    }
  }
  return { inUse, left: new Set([...ended].filter((id) => !inUse.has(id))) };
}

/** The session that this running process has open; null if its status file does not say. */
export async function sessionOfProcess(configFolder: string, pid: number): Promise<string | null> {
  return await openSessionOf(join(configFolder, 'sessions', `${pid}.json`));
}

const status = s.record({ pid: s.countOrZero, sessionId: s.name });

const nothing = { pid: 0, sessionId: null };

async function statusOf(file: string): Promise<s.Read<typeof status>> {
  return s.read(status, parsedJson((await textOf(file)) ?? ''));
}

async function openSessionOf(file: string): Promise<string | null> {
  const { pid, sessionId } = await statusOf(file);
  return isRunning(pid) ? sessionId : null;
}

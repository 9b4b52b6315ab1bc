import { join } from 'node:path';
import { parsedJson } from '../records/json-text';
import * as s from '../records/schemas';
import { namesIn } from './names-in';
import { isRunning } from './running-process';
import { textOf } from './text-of';

/** A running Claude Code, or Qwen Code, keeps `<pid>.json` here, and beside it a key that is nobody else's business. */
const statusFile = /^\d+\.json$/;

/**
 * Ids of the sessions that running processes have open. A status file that cannot be read tells nothing, as one that
 * is not there: whether a session is live is then seen by its own file.
 */
export async function sessionsInUse(configFolder: string): Promise<ReadonlySet<string>> {
  const folder = join(configFolder, 'sessions');
  const ids = new Set<string>();
  for (const name of await namesIn(folder)) {
    const id = statusFile.test(name) ? await openSessionOf(join(folder, name)) : null;
    if (id !== null) ids.add(id);
  }
  return ids;
}

/** The session that this running process has open; null if its status file does not tell. */
export async function sessionOfProcess(configFolder: string, pid: number): Promise<string | null> {
  return await openSessionOf(join(configFolder, 'sessions', `${pid}.json`));
}

const status = s.record({ pid: s.countOrZero, sessionId: s.name });

async function openSessionOf(file: string): Promise<string | null> {
  const { pid, sessionId } = s.read(status, parsedJson((await textOf(file)) ?? ''));
  return isRunning(pid) ? sessionId : null;
}

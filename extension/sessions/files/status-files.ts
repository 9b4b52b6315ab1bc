import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asCount, asName, asRecord } from '../records/json';
import { namesIn } from './names-in';
import { systemErrorCode } from './with-file';

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

async function openSessionOf(file: string): Promise<string | null> {
  const status = asRecord(await jsonIn(file));
  const pid = asCount(status?.pid);
  return pid !== null && isRunning(pid) ? asName(status?.sessionId) : null;
}

/** Null where the file is gone by now, or is just being written. */
async function jsonIn(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) !== null) return null;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  // Zero and negative numbers name groups of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is a running one.
    return systemErrorCode(error) === 'EPERM';
  }
}

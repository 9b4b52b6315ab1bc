import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../files/names-in';
import { systemErrorCode } from '../files/with-file';

/** A thread that is open has `<thread id>.lock`, and a lock of the system's (`flock`) upon it. */
const suffix = '.lock';

/**
 * Ids of the threads that a running Codex has open. A Codex that was killed leaves its file behind, without the lock;
 * only Linux says who holds one, so that elsewhere a file that was left behind counts as a thread in use.
 */
export async function sessionsInUse(folder: string, heldFile = '/proc/locks'): Promise<ReadonlySet<string>> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(suffix) && !name.startsWith('.'));
  const held = names.length === 0 ? null : await lockedInodes(heldFile);
  const ids = new Set<string>();
  for (const name of names) {
    if (held === null || (await isAmong(join(folder, name), held))) ids.add(name.slice(0, -suffix.length));
  }
  return ids;
}

/** Inodes with a lock, on any disk: a number that two disks share makes a thread count as open that is not. */
async function lockedInodes(file: string): Promise<ReadonlySet<string> | null> {
  try {
    const lines = (await readFile(file, 'utf8')).split('\n');
    return new Set(lines.flatMap((line) => /\s[0-9a-f]+:[0-9a-f]+:(\d+)\s/.exec(line)?.[1] ?? []));
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}

/** A file that has disappeared was closed. */
async function isAmong(file: string, inodes: ReadonlySet<string>): Promise<boolean> {
  try {
    return inodes.has(String((await stat(file)).ino));
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return false;
  }
}

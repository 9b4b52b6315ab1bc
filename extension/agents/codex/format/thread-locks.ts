import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { namesIn } from '../../../platform/files/names-in';
import { textOf } from '../../../platform/files/text-of';
import { orIfUnreadable } from '../../../platform/files/with-file';
import type { Occupancy } from '../../../sessions/adapter';

/** An open thread has a file `<thread id>.lock`, locked with `flock`. */
const suffix = '.lock';

/**
 * The threads with such a file in this folder. A killed Codex leaves its file behind unlocked; only Linux shows who holds a lock, so
 * elsewhere a file left behind counts as a thread in use.
 */
export async function threadsIn(folder: string, heldFile = '/proc/locks'): Promise<Occupancy> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(suffix) && !name.startsWith('.'));
  const held = names.length === 0 ? null : await lockedInodes(heldFile);
  const [inUse, left] = [new Set<string>(), new Set<string>()];
  for (const name of names) {
    const isOpen = held === null || (await isAmong(join(folder, name), held));
    (isOpen ? inUse : left).add(name.slice(0, -suffix.length));
  }
  return { inUse, left };
}

/** Inodes with a lock, on any disk. If two disks share an inode number, a closed thread may count as open. */
async function lockedInodes(file: string): Promise<ReadonlySet<string> | null> {
  const lines = (await textOf(file))?.split('\n');
  return lines ? new Set(lines.flatMap((line) => /\s[0-9a-f]+:[0-9a-f]+:(\d+)\s/.exec(line)?.[1] ?? [])) : null;
}

/** A missing file means the thread was closed. */
async function isAmong(file: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const found = await orIfUnreadable(stat(file), null);
  return found !== null && inodes.has(String(found.ino));
}

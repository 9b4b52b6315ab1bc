import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { UserFolders } from '../../../platform/files/environment';
import { namesIn } from '../../../platform/files/names-in';
import { textOf } from '../../../platform/files/text-of';
import { orIfUnreadable } from '../../../platform/files/with-file';
import * as s from '../../../platform/json/schemas';
import { recordsOf } from '../../../platform/lines/line';
import type { LineFormat, Occupancy, SettingsPlace } from '../../../sessions/adapter';
import { inFolder, inSystem } from '../../../sessions/own-compaction/own-compaction';
import { outlineBy } from '../../../sessions/records/outline';
import { fork } from '../fork/fork';
import { CodexBuilder } from './builder';
import { codexSize } from './own-size';
import { orderOf, rolloutName } from './rollout-names';
import { noRollouts, rolloutsBeside } from './rollouts';
import { subagentsOf } from './subagents';

export const codex: LineFormat = {
  kind: 'lines',
  agent: 'codex',
  roots: (environment) => ['sessions', 'archived_sessions'].map((name) => join(codexHome(environment), name)),
  // sessions/<year>/<month>/<day>/rollout-<local time>-<thread id>.jsonl, and archived_sessions/ beside sessions/.
  foldersBelowRoot: 3,
  mayBeSession: (path) => /^rollout-.*\.jsonl$/.test(basename(path)),
  partOf(file) {
    const name = rolloutName(file);
    return name === null ? null : { session: name.thread, order: orderOf(name) };
  },
  recognises,
  // A thread that another thread started is listed under that thread.
  summarise: outlineBy(
    () => new CodexBuilder('', noRollouts),
    ({ parent }) => parent !== undefined,
  ),
  createBuilder: (file) => new CodexBuilder(file, rolloutsBeside(file)),
  occupancy: (environment) => threadsIn(join(codexHome(environment), 'thread-writer-locks')),
  subagentsOf,
  resume: ({ id }) => ['codex', 'resume', id],
  fork,
  ownCompaction: { settingsFiles, size: codexSize },
};

const sessionPayload = s.record({ id: s.name });

export function codexHome({ home, variables }: UserFolders): string {
  return variables.CODEX_HOME || join(home, '.codex');
}

function settingsFiles(place: SettingsPlace): readonly string[] {
  const inProject = inFolder(place, (cwd) => join(cwd, '.codex', 'config.toml'));
  return [...inSystem(place, 'codex', 'config.toml'), join(codexHome(place), 'config.toml'), ...inProject];
}

/** The first record of every Codex file is `session_meta`, unless it was lost. */
function recognises(head: readonly string[]): boolean {
  const [first] = recordsOf(head);
  const { timestamp, type, payload } = s.read(headRecord, first);
  if (type === 'session_meta') return payload !== null && s.read(sessionPayload, payload).id !== null;
  return type !== null && laterTypes.has(type) && timestamp !== null && payload !== null;
}

const headRecord = s.record({ timestamp: s.name, type: s.name, payload: s.jsonRecord });
const laterTypes = new Set([
  'response_item',
  'event_msg',
  'turn_context',
  'world_state',
  'compacted',
  'token_usage_record',
]);

/** An open thread has a file `<thread id>.lock`, locked with `flock`. */
const lockSuffix = '.lock';

/**
 * The threads with such a file in this folder. A killed Codex leaves its file behind unlocked; only Linux shows who holds a lock, so
 * elsewhere a file left behind counts as a thread in use.
 */
export async function threadsIn(folder: string, heldFile = '/proc/locks'): Promise<Occupancy> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(lockSuffix) && !name.startsWith('.'));
  const held = names.length === 0 ? null : await lockedInodes(heldFile);
  const [inUse, left] = [new Set<string>(), new Set<string>()];
  for (const name of names) {
    const isOpen = held === null || (await isAmong(join(folder, name), held));
    (isOpen ? inUse : left).add(name.slice(0, -lockSuffix.length));
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

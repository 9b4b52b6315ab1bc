import { readdir, stat } from 'node:fs/promises';
import { systemErrorCode } from '../files/with-file';
import type { ParsedSession, Subagent } from '../session';
import { likelyFolders, RolloutFiles } from './rollout-names';
import { type SpawnedThread, spawnedThreads } from './spawned-threads';

/** How the names in folders are found out. */
export interface Folders {
  /** Milliseconds since the epoch: when a name in it was added or taken away last; null where it is not there. */
  changed(folder: string): Promise<number | null>;
  names(folder: string): Promise<readonly string[]>;
  now(): number;
}

/** Cached subagents of a session, valid until it or the folders change. */
interface Known {
  readonly spawned: readonly SpawnedThread[];
  readonly folders: readonly string[];
  readonly subagents: readonly Subagent[];
  /** When the folders changed last, as of the look at them. */
  readonly stamp: string | null;
}

/** The times of a disk may be this coarse, in milliseconds: what changed later than that may change again unseen. */
const coarseness = 2000;

/** Finds the threads that a session started. Asked again, it looks only for whether anything has changed. */
export class SubagentSearch {
  readonly #known = new WeakMap<ParsedSession, Known>();

  constructor(private readonly folders: Folders) {}

  async of(session: ParsedSession): Promise<readonly Subagent[]> {
    const known = this.#known.get(session) ?? withoutLook(session);
    if (known.spawned.length === 0) return [];
    const stamp = await this.#stampOf(known.folders);
    if (stamp !== null && stamp === known.stamp) return known.subagents;
    const files = await this.#filesIn(known.folders);
    const subagents = known.spawned.flatMap(({ callId, threadId, title }) => {
      const file = files.newestOf(threadId);
      return file === null || file === session.file ? [] : [{ callId, file, title }];
    });
    this.#known.set(session, { ...known, subagents, stamp });
    return subagents;
  }

  async #stampOf(folders: readonly string[]): Promise<string | null> {
    const times = await Promise.all(folders.map((folder) => this.folders.changed(folder)));
    const newest = Math.max(...times.map((time) => time ?? 0));
    return newest + coarseness > this.folders.now() ? null : times.join(' ');
  }

  async #filesIn(folders: readonly string[]): Promise<RolloutFiles> {
    const files = new RolloutFiles();
    for (const folder of folders) files.add(folder, await this.folders.names(folder));
    return files;
  }
}

function withoutLook(session: ParsedSession): Known {
  const spawned = spawnedThreads(session);
  const folders = spawned.flatMap(({ threadId }) => likelyFolders(session.file, threadId));
  return { spawned, folders: [...new Set(folders)], subagents: [], stamp: null };
}

const onDisk: Folders = {
  changed: (folder) => orNothing(async () => (await stat(folder)).mtimeMs, null),
  names: (folder) => orNothing(() => readdir(folder), []),
  now: Date.now,
};

/** Most folders of a day are not there. */
async function orNothing<Found, Nothing>(look: () => Promise<Found>, nothing: Nothing): Promise<Found | Nothing> {
  try {
    return await look();
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return nothing;
  }
}

const search = new SubagentSearch(onDisk);

/** The threads that this one started, by what the tool gave back: the new thread's id. */
export async function subagentsOf(session: ParsedSession): Promise<readonly Subagent[]> {
  return await search.of(session);
}

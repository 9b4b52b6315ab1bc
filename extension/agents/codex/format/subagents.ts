import { readdir, stat } from 'node:fs/promises';
import { systemErrorCode } from '../../../platform/files/with-file';
import type { ParsedSession, Subagent } from '../../../sessions/session';
import { likelyFolders, RolloutFiles } from './rollout-names';
import { type SpawnedThread, spawnedThreads } from './spawned-threads';

/** Access to folder listings. */
export interface Folders {
  /** Time of the last change of a folder's listing, in milliseconds since the epoch; null if it does not exist. */
  changed(folder: string): Promise<number | null>;
  names(folder: string): Promise<readonly string[]>;
  now(): number;
}

/** Cached subagents of a session, valid until the session or the folders change. */
interface Known {
  readonly spawned: readonly SpawnedThread[];
  readonly folders: readonly string[];
  readonly subagents: readonly Subagent[];
  /** Modification times of the folders when they were listed. */
  readonly stamp: string | null;
}

/** File times may be this imprecise, in milliseconds: folders that changed more recently are not cached. */
const coarseness = 2000;

/** Finds the threads that a session started. Repeated calls only check whether anything changed. */
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

/** Most folders of single days do not exist. */
async function orNothing<Found, Nothing>(look: () => Promise<Found>, nothing: Nothing): Promise<Found | Nothing> {
  try {
    return await look();
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return nothing;
  }
}

const search = new SubagentSearch(onDisk);

/** The threads that this one started, by the thread ids in tool results. */
export async function subagentsOf(session: ParsedSession): Promise<readonly Subagent[]> {
  return await search.of(session);
}

import { basename, dirname, join, sep } from 'node:path';

/**
 * A file of a thread. Codex starts another file, a segment, whenever a person takes back part of the thread; the newest
 * one refers to the valid part of the earlier ones (`history_base`).
 */
interface RolloutName {
  readonly thread: string;
  /** UUID version 7, so it begins with its creation time. The first segment has the id of the thread. */
  readonly segment: string;
}

/** `rollout-<local time>-<thread>.jsonl` or `rollout-<local time>-<thread>_<segment>.jsonl`; null for other names. */
export function rolloutName(file: string): RolloutName | null {
  const ids = /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-([^_]+)(?:_([^_]+))?\.jsonl$/.exec(basename(file));
  const thread = ids?.[1];
  return thread === undefined ? null : { thread, segment: ids?.[2] ?? thread };
}

/** Sort key of the files of one thread, oldest first. */
export function orderOf({ thread, segment }: RolloutName): string {
  return segment === thread ? '' : segment;
}

/** Files of several folders, indexed by thread and segment. */
export class RolloutFiles {
  readonly #ofSegment = new Map<string, string>();
  readonly #newest = new Map<string, RolloutName>();

  add(folder: string, names: readonly string[]): void {
    for (const file of names) {
      const name = rolloutName(file);
      if (name !== null) this.#add(join(folder, file), name);
    }
  }

  ofSegment(segment: string): string | null {
    return this.#ofSegment.get(segment) ?? null;
  }

  newestOf(thread: string): string | null {
    const newest = this.#newest.get(thread);
    return newest === undefined ? null : this.ofSegment(newest.segment);
  }

  /** If a file exists twice, in its folder and in the archive, the first one added counts. */
  #add(file: string, name: RolloutName): void {
    if (!this.#ofSegment.has(name.segment)) this.#ofSegment.set(name.segment, file);
    const known = this.#newest.get(name.thread);
    if (known === undefined || orderOf(name) > orderOf(known)) this.#newest.set(name.thread, name);
  }
}

/** The folder that contains the years, for a file in `sessions/<year>/<month>/<day>` or in `archived_sessions`. */
export function sessionsFolder(file: string): string | null {
  const folders = dirname(file).split(sep);
  if (folders.at(-1) === 'archived_sessions') return [...folders.slice(0, -1), 'sessions'].join(sep);
  const isDay = /^\d{4}\/\d\d\/\d\d$/.test(folders.slice(-3).join('/'));
  return isDay ? folders.slice(0, -3).join(sep) : null;
}

export function dayFolder(sessions: string, time: Date): string {
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return join(sessions, ...parts.map((part) => String(part).padStart(2, '0')));
}

const dayMilliseconds = 24 * 60 * 60 * 1000;

/**
 * Folders that may contain a thread or segment to which `file` refers: the folder of `file`, and those of the day that
 * the id encodes (UUID version 7), in any time zone.
 */
export function likelyFolders(file: string, id: string): string[] {
  const sessions = sessionsFolder(file);
  if (sessions === null) return [dirname(file)];
  const made = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  const days = Number.isNaN(made) ? [] : [0, -1, 1].map((days) => new Date(made + days * dayMilliseconds));
  const archived = join(dirname(sessions), 'archived_sessions');
  return [...new Set([dirname(file), ...days.map((day) => dayFolder(sessions, day)), archived])];
}

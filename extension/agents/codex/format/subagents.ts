import { stat } from 'node:fs/promises';
import { type Entry, toolCalls, toolResults } from '../../../engine/conversation/entry';
import { namesIn } from '../../../platform/files/names-in';
import { orIfUnreadable } from '../../../platform/files/with-file';
import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { titleOf } from '../../../sessions/records/title';
import type { ParsedSession, Subagent } from '../../../sessions/session';
import { likelyFolders, RolloutFiles } from './rollout-names';

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
  // Most folders of single days do not exist.
  changed: async (folder) => (await orIfUnreadable(stat(folder), null))?.mtimeMs ?? null,
  names: namesIn,
  now: Date.now,
};

const search = new SubagentSearch(onDisk);

/** The threads that this one started, by the thread ids in tool results. */
export async function subagentsOf(session: ParsedSession): Promise<readonly Subagent[]> {
  return await search.of(session);
}

/** A thread started by another one, identified by the call's input and output. */
interface SpawnedThread {
  readonly callId: string;
  readonly threadId: string;
  readonly title: string | null;
}

const spawnAnswer = s.record({ agent_id: s.name, thread_id: s.name, nickname: s.name });
const spawnInput = s.record({ message: s.name, task_name: s.name });

const spawningTools = new Set(['spawn_agent']);

/** A result that names the session itself starts no thread. */
function spawnedThreads({ id, conversation }: ParsedSession): SpawnedThread[] {
  const prompts = new Map(conversation.entries.flatMap(spawnPrompts));
  const results = conversation.entries.flatMap(({ parts }) => toolResults(parts.slice(0, 1)));
  return results.flatMap(({ callId, text }) => {
    // A failed tool answers with plain text.
    const answer = s.read(spawnAnswer, prompts.has(callId) ? parsedJson(text) : null);
    const threadId = answer.agent_id ?? answer.thread_id;
    if (threadId === null || threadId === id) return [];
    return [{ callId, threadId, title: prompts.get(callId) ?? answer.nickname }];
  });
}

function spawnPrompts({ parts }: Entry): [string, string | null][] {
  return toolCalls(parts)
    .filter((call) => spawningTools.has(call.name))
    .map(({ callId, input }) => {
      const { message, task_name: name } = s.read(spawnInput, input);
      return [callId, titleOf(message ?? name ?? '')];
    });
}

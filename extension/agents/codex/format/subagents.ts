import { type Entry, toolCalls, toolResults } from '../../../engine/conversation/entry';
import { namesIn } from '../../../platform/files/names-in';
import { parsedJson } from '../../../platform/json/json-text';
import * as s from '../../../platform/json/schemas';
import { titleOf } from '../../../sessions/records/title';
import type { ParsedSession, Subagent } from '../../../sessions/session';
import { likelyFolders, RolloutFiles } from './rollout-names';

/** The threads that this one started, by the thread ids in tool results. Each folder is listed once. */
export async function subagentsOf(session: ParsedSession): Promise<readonly Subagent[]> {
  const spawned = spawnedThreads(session);
  const files = new RolloutFiles();
  const folders = new Set(spawned.flatMap(({ threadId }) => likelyFolders(session.file, threadId)));
  for (const folder of folders) files.add(folder, await namesIn(folder));
  return spawned.flatMap(({ callId, threadId, title }) => {
    const file = files.newestOf(threadId);
    return file === null || file === session.file ? [] : [{ callId, file, title }];
  });
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

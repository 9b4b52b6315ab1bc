import { type Entry, toolCalls, toolResults } from '../../engine/conversation/entry';
import { asName, asRecord } from '../records/json';
import { titleOf } from '../records/title';
import type { ParsedSession } from '../session';

/** A thread that another one started, by what the tool was told and gave back. */
export interface SpawnedThread {
  readonly callId: string;
  readonly threadId: string;
  readonly title: string | null;
}

const spawningTools = new Set(['spawn_agent']);

/** A result that names the session itself is of no other thread. */
export function spawnedThreads({ id, conversation }: ParsedSession): SpawnedThread[] {
  const prompts = new Map(conversation.entries.flatMap(spawnPrompts));
  const results = conversation.entries.flatMap(({ parts }) => toolResults(parts.slice(0, 1)));
  return results.flatMap(({ callId, text }) => {
    const answer = prompts.has(callId) ? asRecord(jsonOf(text)) : null;
    const threadId = asName(answer?.agent_id) ?? asName(answer?.thread_id);
    if (threadId === null || threadId === id) return [];
    return [{ callId, threadId, title: prompts.get(callId) ?? asName(answer?.nickname) }];
  });
}

function spawnPrompts({ parts }: Entry): [string, string | null][] {
  return toolCalls(parts)
    .filter((call) => spawningTools.has(call.name))
    .map(({ callId, input }) => {
      const fields = asRecord(input);
      return [callId, titleOf(asName(fields?.message) ?? asName(fields?.task_name) ?? '')];
    });
}

/** Null where the tool answered in words: it failed then. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

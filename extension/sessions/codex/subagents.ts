import { type Entry, toolCalls } from '../../engine/conversation/entry';
import type { ParsedSession } from '../adapter';
import { asName, asRecord } from '../records/json';
import { titleOf } from '../records/title';
import type { Subagent } from '../session';
import { rolloutsBeside } from './rollouts';

const spawningTools = new Set(['spawn_agent']);

/** The threads that this one started, by what the tool gave back: the new thread's id. */
export async function subagentsOf({ file, conversation }: ParsedSession): Promise<readonly Subagent[]> {
  const rollouts = rolloutsBeside(file);
  const prompts = new Map(conversation.entries.flatMap(spawnPrompts));
  return conversation.entries.flatMap((entry) => {
    const [part] = entry.parts;
    if (part?.type !== 'tool_result' || !prompts.has(part.callId)) return [];
    const found = threadIn(part.text, rollouts.find);
    const title = prompts.get(part.callId) ?? found?.nickname ?? null;
    return found === null ? [] : [{ callId: part.callId, file: found.file, title }];
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

interface Thread {
  readonly file: string;
  readonly nickname: string | null;
}

function threadIn(output: string, find: (threadId: string) => string | null): Thread | null {
  const answer = asRecord(jsonOf(output));
  const id = asName(answer?.agent_id) ?? asName(answer?.thread_id);
  const file = id === null ? null : find(id);
  return file === null ? null : { file, nickname: asName(answer?.nickname) };
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

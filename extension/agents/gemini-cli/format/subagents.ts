import { basename, dirname, join } from 'node:path';
import type { Conversation } from '../../../engine/conversation/conversation';
import { namesIn } from '../../../platform/files/names-in';
import * as s from '../../../platform/json/schemas';
import type { ParentSession, ParsedSession, Subagent } from '../../../sessions/session';
import type { MessageFields } from './messages';

/*
 * A session is `chats/session-<minute>-<first 8 characters of its id>.jsonl`, its subagents are
 * `chats/<session id>/<subagent id>.jsonl`. A subagent's path does not contain the minute, so it does not identify the
 * parent's file.
 */

const callArguments = s.record({ agent_name: s.name });

interface Spawn {
  readonly callId: string;
  readonly title: string | null;
}

const spawnsOf = new WeakMap<Conversation, ReadonlyMap<string, Spawn>>();

/** The call that started each subagent. Entries have no field for it. */
export class SpawnedAgents {
  readonly #byAgent = new Map<string, Spawn>();

  note({ toolCalls }: MessageFields): void {
    for (const { id, agentId, args } of toolCalls) {
      if (agentId === null || id === null) continue;
      this.#byAgent.set(agentId, { callId: id, title: s.read(callArguments, args).agent_name });
    }
  }

  attachTo(conversation: Conversation): void {
    spawnsOf.set(conversation, this.#byAgent);
  }
}

/** The parent's file and call are not recorded in a subagent's file. */
export const unknownParent: ParentSession = { file: null, callId: null };

export async function subagentsOf({ id, file, conversation }: ParsedSession): Promise<Subagent[]> {
  if (!/^[\w-]+$/.test(id)) return [];
  const folder = join(dirname(file), id);
  const files = (await namesIn(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  return files.map((name) => {
    const spawn = spawnsOf.get(conversation)?.get(basename(name, '.jsonl'));
    return { callId: spawn?.callId ?? null, file: join(folder, name), title: spawn?.title ?? null };
  });
}

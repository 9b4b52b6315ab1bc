import { basename, dirname, join } from 'node:path';
import type { Conversation } from '../../engine/conversation/conversation';
import { namesIn } from '../files/names-in';
import { asName, asRecord, asRecords, type JsonRecord } from '../records/json';
import type { ParentSession, ParsedSession, Subagent } from '../session';

/*
 * A session is `chats/session-<minute>-<first 8 characters of its id>.jsonl`, its subagents are
 * `chats/<session id>/<subagent id>.jsonl`. A subagent's path does not contain the minute, so it does not identify the
 * parent's file.
 */

interface Spawn {
  readonly callId: string;
  readonly title: string | null;
}

const spawnsOf = new WeakMap<Conversation, ReadonlyMap<string, Spawn>>();

/** Which calls started which subagents. It is kept outside the entries, which have no field for it. */
export class SpawnedAgents {
  readonly #byAgent = new Map<string, Spawn>();

  note(message: JsonRecord): void {
    for (const call of asRecords(message.toolCalls)) {
      const agentId = asName(call.agentId);
      const callId = asName(call.id);
      if (agentId === null || callId === null) continue;
      this.#byAgent.set(agentId, { callId, title: asName(asRecord(call.args)?.agent_name) });
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

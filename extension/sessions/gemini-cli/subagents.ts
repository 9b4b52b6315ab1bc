import { basename, dirname, join } from 'node:path';
import type { Conversation } from '../../engine/conversation/conversation';
import { namesIn } from '../files/names-in';
import { asName, asRecord, asRecords, type JsonRecord } from '../records/json';
import type { ParentSession, ParsedSession, Subagent } from '../session';

/*
 * chats/session-<minute>-<first 8 of the id>.jsonl, and of its subagents chats/<session id>/<their id>.jsonl. The file
 * of the session above cannot be told from the path alone, because of the minute.
 */

interface Started {
  readonly callId: string;
  readonly title: string | null;
}

const startedIn = new WeakMap<Conversation, ReadonlyMap<string, Started>>();

/** Which calls started which agents: the calls tell it in a field that no entry has. */
export class StartedAgents {
  readonly #byAgent = new Map<string, Started>();

  note(message: JsonRecord): void {
    for (const call of asRecords(message.toolCalls)) {
      const agentId = asName(call.agentId);
      const callId = asName(call.id);
      if (agentId === null || callId === null) continue;
      this.#byAgent.set(agentId, { callId, title: asName(asRecord(call.args)?.agent_name) });
    }
  }

  belongTo(conversation: Conversation): void {
    startedIn.set(conversation, this.#byAgent);
  }
}

/** The session above is not told by the path of its subagent's file. */
export const unknownParent: ParentSession = { file: null, callId: null };

export async function subagentsOf({ id, file, conversation }: ParsedSession): Promise<Subagent[]> {
  if (!/^[\w-]+$/.test(id)) return [];
  const folder = join(dirname(file), id);
  const files = (await namesIn(folder)).filter((name) => name.endsWith('.jsonl')).sort();
  return files.map((name) => {
    const started = startedIn.get(conversation)?.get(basename(name, '.jsonl'));
    return { callId: started?.callId ?? null, file: join(folder, name), title: started?.title ?? null };
  });
}

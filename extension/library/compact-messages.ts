import { neverAborted } from '../conversations/never-aborted';
import type { ToolDefinitionsPart, Usage } from '../engine/conversation/entry';
import { rewritten } from '../middleware/formats/format';
import { type PlainMessage, plainFormat } from '../middleware/formats/plain';
import type { Conversations } from './conversations';
import { FrameworkCalls } from './framework-call';
import type { Message } from './message';

/** Further information about an array of messages. */
export interface MessagesOptions {
  /** The provider's name for it. Absent: `unnamed`. */
  readonly model?: string;
  /** System prompts that are not in the array. */
  readonly system?: readonly string[];
  /** The names of the tools and their definitions as they are sent, for the sizes. */
  readonly tools?: Omit<ToolDefinitionsPart, 'type'>;
  readonly signal?: AbortSignal;
  /** Key of the conversation. Absent: it is recognized by its beginning. */
  readonly conversation?: string;
  /** Tenant. Absent: none. */
  readonly scope?: string;
}

export interface CompactedMessages {
  /** The messages to send to the model. Unchanged messages are the same objects that were passed in. */
  readonly messages: readonly PlainMessage[];
  /** Records the model's answer. Optional, but sizes are more exact if the provider's usage is known. */
  answered(message: Message, usage?: Usage): Promise<void>;
  /** There was no answer, or it was incomplete. */
  failed(): Promise<void>;
}

/**
 * The messages of an agent that stores its own history, as they are to be sent to its model. Pass all of them each time.
 *
 * @example
 * const { messages, answered } = await compactMessages(conversations, history);
 * const reply = await complete(messages);
 * await answered(reply);
 * history.push(reply);
 */
export async function compactMessages(
  conversations: Conversations,
  messages: readonly Message[],
  { model = 'unnamed', system = [], tools, signal = neverAborted(), ...identity }: MessagesOptions = {},
): Promise<CompactedMessages> {
  const { changed, answer } = await new FrameworkCalls(conversations).record(signal, () => ({
    groups: plainFormat.groupsOf(messages),
    system,
    tools: tools ? { type: 'tool_definitions', ...tools } : null,
    model,
    providerSide: { compacts: [], remembers: [] },
    identity,
  }));
  return {
    messages: changed === null ? messages : rewritten(plainFormat, changed.groups, changed.outgoing),
    async answered(message, usage) {
      const parts = plainFormat.groupsOf([message]).flatMap(({ said }) => said.parts);
      answer.add(parts.filter((part) => part.type !== 'image' && part.type !== 'tool_result'));
      if (usage) answer.add([{ type: 'usage', usage }]);
      await answer.end('answered');
    },
    failed: () => answer.failed(),
  };
}

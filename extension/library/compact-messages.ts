import { neverAborted } from '../conversations/never-aborted';
import type { ToolDefinitionsPart, Usage } from '../engine/conversation/entry';
import { rewritten } from '../middleware/formats/format';
import { type PlainMessage, plainFormat } from '../middleware/formats/plain';
import type { Conversations } from './conversations';
import { FrameworkCalls } from './framework-call';
import type { Message } from './message';

/** What goes with an array of messages. */
export interface MessagesOptions {
  /** As the provider calls it; absent: a name for none. */
  readonly model?: string;
  /** System prompts that stand outside the array. */
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
  /** What the model is to be sent. Messages that nothing was done to are the very ones that came in. */
  readonly messages: readonly PlainMessage[];
  /** Keeps the model's answer. Not needed, but sizes are better where the provider's usage is known. */
  answered(message: Message, usage?: Usage): Promise<void>;
  /** There was no answer, or it broke off. */
  failed(): Promise<void>;
}

/**
 * The messages of an agent that keeps its own history, as its model is to be sent them. Give all of them each time.
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
  const { changed, answer } = await new FrameworkCalls(conversations).keep(signal, () => ({
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

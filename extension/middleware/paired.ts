import { toolCalls, toolResults } from '../engine/conversation/entry';
import type { SentMessage } from '../engine/conversation/projection';

/**
 * The messages with every tool result directly after its reply, as providers require. A message that a person wrote while a tool was
 * running follows its result. A result belongs to the newest call with its id.
 */
export function paired<Message extends SentMessage>(messages: readonly Message[]): Message[] {
  const groups: Message[][] = [];
  const groupOf = new Map<string, Message[]>();
  for (const message of messages) {
    const [first] = toolResults(message.parts);
    const group = message.role === 'tool' && first ? groupOf.get(first.callId) : undefined;
    if (group) {
      group.push(message);
      continue;
    }
    const opened = [message];
    groups.push(opened);
    for (const { callId } of toolCalls(message.parts)) groupOf.set(callId, opened);
  }
  return groups.flat();
}

import * as s from '../../sessions/records/schemas';
import type { Outgoing } from '../recognition/outgoing';
import type { BodyMessages } from './body-messages';

/**
 * Anthropic merges neighbouring messages of one role, and a reply with pending results must begin with its thinking. So
 * a block before such a reply gets the user role.
 */
export function asUserBeforeThinking(outgoing: readonly Outgoing[], messages: BodyMessages): Outgoing[] {
  const turned: Outgoing[] = [];
  let following: number | null = null;
  for (const one of [...outgoing].reverse()) {
    if (one.kind !== 'made') following = one.index;
    const speaksAsUser =
      one.kind === 'made' &&
      one.message.role === 'assistant' &&
      following !== null &&
      beginsWithThinking(messages, following);
    turned.push(speaksAsUser ? { kind: 'made', message: { ...one.message, role: 'user' } } : one);
  }
  return turned.reverse();
}

function beginsWithThinking(messages: BodyMessages, group: number): boolean {
  const [message] = messages.groupAt(group).messages;
  return message?.role === 'assistant' && isThinking(s.read(s.list, message.content)[0]);
}

const typedBlock = s.record({ type: s.name });

export function isThinking(block: unknown): boolean {
  const { type } = s.read(typedBlock, block);
  return type === 'thinking' || type === 'redacted_thinking';
}

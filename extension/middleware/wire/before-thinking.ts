import * as s from '../../sessions/records/schemas';
import type { MessageGroup } from '../formats/format';
import type { Outgoing } from '../recognition/outgoing';

/**
 * Anthropic merges neighbouring messages of one role, and a reply with pending results must begin with its thinking. So
 * a block before such a reply gets the user role.
 */
export function asUserBeforeThinking(
  outgoing: readonly Outgoing[],
  groups: readonly MessageGroup<s.JsonRecord>[],
): Outgoing[] {
  const turned: Outgoing[] = [];
  let isBeforeThinking = false;
  for (const one of [...outgoing].reverse()) {
    if (one.kind !== 'made') isBeforeThinking = beginsWithThinking(groups[one.index]);
    const speaksAsUser = one.kind === 'made' && one.message.role === 'assistant' && isBeforeThinking;
    turned.push(speaksAsUser ? { kind: 'made', message: { ...one.message, role: 'user' } } : one);
  }
  return turned.reverse();
}

function beginsWithThinking(group: MessageGroup<s.JsonRecord> | undefined): boolean {
  const message = group?.messages[0];
  return message?.role === 'assistant' && isThinking(s.read(s.list, message.content)[0]);
}

const typedBlock = s.record({ type: s.name });

export function isThinking(block: unknown): boolean {
  const { type } = s.read(typedBlock, block);
  return type === 'thinking' || type === 'redacted_thinking';
}

import type { Context, ContextMessage } from '../engine/conversation/context';
import type { AgentDoor } from './door';

/** Tokens at the start of the agent's context that a compaction leaves as they are: only those come from the provider's prompt cache. */
export function unchangedTokens(before: Context, after: Context, door: Pick<AgentDoor, 'keepsMessages'>): number {
  const { messages, tokens } = before;
  const first = messages.findIndex((message, index) => !isUnchanged(message, after.messages[index], door));
  const unchanged = first < 0 ? messages.length : first;
  return tokens.derivedSystem + tokens.ofMessages.slice(0, unchanged).reduce((sum, size) => sum + size, 0);
}

/** An agent that takes one text in the place of its messages keeps only its system prompt. */
function isUnchanged(
  before: ContextMessage,
  after: ContextMessage | undefined,
  { keepsMessages }: Pick<AgentDoor, 'keepsMessages'>,
): boolean {
  if (before.kind !== 'system' && !keepsMessages) return false;
  return before.key === after?.key && before.parts === after.parts;
}

import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry } from '../../engine/conversation/entry';

export const systemPrefix = 'system:';

/** The system prompt of a request is not part of the chain, so its id is independent of it. */
export function isSystemPrompt({ id, role }: Pick<Entry, 'id' | 'role'>): boolean {
  return role === 'system' && id.startsWith(systemPrefix);
}

/** The message that the next one would follow; null before the first. */
export function newestMessage({ agentContext }: Pick<Conversation, 'agentContext'>): string | null {
  return agentContext.findLast((entry) => !isSystemPrompt(entry))?.id ?? null;
}

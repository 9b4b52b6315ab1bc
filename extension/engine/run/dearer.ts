import type { Conversation } from '../conversation/conversation';
import { cachePricesOf } from './cache-prices';

/** The longest that a provider keeps a prompt after its last use, in milliseconds: Anthropic 5 or 60 minutes, OpenAI 5 to 60. */
const longestLifetime = 60 * 60_000;

/**
 * Whether the next request may cost more after a compaction than without one, because a cache may still have the prompt: then most of it
 * is read at a tenth of the price or less, and what a compaction leaves is written anew. False where prices or times are not known.
 */
export function mayBeDearer({ entries }: Pick<Conversation, 'entries'>): boolean {
  const reply = entries.findLast(({ usage }) => usage !== undefined);
  if (!reply || cachePricesOf(reply.model ?? null) === null) return false;
  const pause = Date.parse(entries.at(-1)?.timestamp ?? '') - Date.parse(reply.timestamp ?? '');
  return pause <= longestLifetime;
}

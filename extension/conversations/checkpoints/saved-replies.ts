import type { Entry } from '../../engine/conversation/entry';
import * as s from '../../platform/json/schemas';
import { readWrittenEntry } from '../../sessions/strata/written-entry';

/**
 * The facts about a reply that its message does not contain: the usage that its provider reported, and the time from
 * which the provider may have the prompt in its cache.
 */
export type SavedReply = Pick<Entry, 'id' | 'timestamp' | 'usage' | 'countedTokens' | 'sentPrefix' | 'model'>;

/** Null for a message that is not a reply. The time of a reply shows whether a pin came later, even if the provider reported no usage. */
export function savedReply(entry: Entry | undefined): SavedReply | null {
  if (entry?.role !== 'assistant') return null;
  const { id, timestamp, usage, countedTokens, sentPrefix, model } = entry;
  return {
    ...{ id, timestamp },
    ...(usage === undefined ? {} : { usage }),
    ...(countedTokens === undefined ? {} : { countedTokens }),
    ...(sentPrefix === undefined ? {} : { sentPrefix }),
    ...(model === undefined ? {} : { model }),
  };
}

/** Adds a reply to those in the state of an agent. */
export function withReply(value: unknown, reply: unknown): unknown {
  const replies = value ?? [];
  if (!Array.isArray(replies) || !s.isRecord(reply)) return value;
  return replies.some((known) => s.isRecord(known) && known.id === reply.id) ? value : [...replies, reply];
}

/** The same entries; replies are completed from the state of an agent. */
export function withSavedReplies<E extends Pick<Entry, 'id'>>(entries: readonly E[], value: unknown): readonly E[] {
  const replies = new Map(s.list(value).flatMap((one) => (s.isRecord(one) ? [[one.id, one] as const] : [])));
  if (replies.size === 0) return entries;
  return entries.map((entry) => {
    const reply = savedReply(replyIn(replies.get(entry.id)) ?? undefined);
    return reply === null ? entry : { ...entry, ...reply };
  });
}

function replyIn(value: s.JsonRecord | undefined): Entry | null {
  return value === undefined ? null : readWrittenEntry({ ...value, role: 'assistant', parts: [] }, nowhere);
}

const nowhere = { file: '', line: 0 };

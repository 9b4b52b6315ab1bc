import type { Entry } from '../../engine/conversation/entry';
import * as s from '../../platform/json/schemas';
import { readWrittenEntry } from '../../sessions/strata/written-entry';

/** What its message does not say of a reply. By it sizes are as the provider reported them, and it is known how long a cache has had the prompt. */
export type SavedReply = Pick<Entry, 'id' | 'timestamp' | 'usage' | 'countedTokens' | 'sentPrefix' | 'model'>;

/** Null for a message that is not a reply. Its time says whether a pin came later, also where the provider reported nothing. */
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

/** The replies in the state of an agent with another one. */
export function withReply(value: unknown, reply: unknown): unknown {
  const replies = value ?? [];
  if (!Array.isArray(replies) || !s.isRecord(reply)) return value;
  return replies.some((known) => s.isRecord(known) && known.id === reply.id) ? value : [...replies, reply];
}

/** Entries with what the state of an agent says of replies among them. */
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

import fc from 'fast-check';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import type { Entry, Part } from '../../extension/engine/conversation/entry';
import { conversations } from './arbitrary';

/**
 * Random conversations with reported usage; some have call ids that repeat, as with servers that give many calls the
 * same id.
 */
export const followedConversations = fc.tuple(conversations, fc.boolean()).map(([conversation, repeats]) => {
  const change = (entry: Entry): Entry => ({
    ...entry,
    ...(entry.role === 'assistant'
      ? { usage: { input: 900, output: entry.id.length, cacheRead: 0, cacheWrite: 0 } }
      : {}),
    parts: repeats ? entry.parts.map(withRepeatedId) : entry.parts,
  });
  const entries = conversation.entries.map(change);
  const changed = new Map(entries.map((entry) => [entry.id, entry]));
  const sent = conversation.agentContext.map((entry) => changed.get(entry.id) ?? entry);
  return { ...conversation, entries, agentContext: sent };
});

function withRepeatedId(part: Part): Part {
  return 'callId' in part ? { ...part, callId: part.callId.slice(0, 2) } : part;
}

/**
 * The states that a session goes through: the number of its entries that are shown, and the number of the last ones
 * that are replaced.
 */
export const followedStates = fc.array(fc.tuple(fc.nat(40), fc.nat(3)), { minLength: 2, maxLength: 8 });

export function shownOf(conversation: Conversation, [shown, rewritten]: readonly [number, number]): Conversation {
  const cut = (entries: readonly Entry[]) => entries.slice(0, shown).map(rewriteLast(rewritten));
  return { ...conversation, entries: cut(conversation.entries), agentContext: cut(conversation.agentContext) };
}

/** Replaces the newest entries by other objects with the same ids, as happens when an agent continues to write them. */
function rewriteLast(count: number): (entry: Entry, index: number, entries: readonly Entry[]) => Entry {
  return (entry, index, { length }) => (index >= length - count ? { ...entry } : entry);
}

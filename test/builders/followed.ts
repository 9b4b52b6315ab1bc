import fc from 'fast-check';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import type { Entry, Part } from '../../extension/engine/conversation/entry';
import { conversations } from './arbitrary';

/** With what providers report of replies, and with servers that give the same id to many calls. */
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

/** How a session goes from state to state: each shows this many of its entries, less some that are replaced. */
export const followedStates = fc.array(fc.tuple(fc.nat(40), fc.nat(3)), { minLength: 2, maxLength: 8 });

export function shownOf(conversation: Conversation, [shown, rewritten]: readonly [number, number]): Conversation {
  const cut = (entries: readonly Entry[]) => entries.slice(0, shown).map(rewriteLast(rewritten));
  return { ...conversation, entries: cut(conversation.entries), agentContext: cut(conversation.agentContext) };
}

/** An agent goes on writing its newest messages: they are other objects with the same ids. */
function rewriteLast(count: number): (entry: Entry, index: number, entries: readonly Entry[]) => Entry {
  return (entry, index, { length }) => (index >= length - count ? { ...entry } : entry);
}

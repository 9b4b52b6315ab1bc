import type { Conversation } from '../../engine/conversation/conversation';
import type { Part } from '../../engine/conversation/entry';
import { hashOf, stableJson } from '../../middleware/recognition/chain';
import type { UnplacedEntry } from '../../middleware/recognition/received';
import type { Surroundings } from '../../middleware/requests/keeping';
import type { ConversationRecord } from '../../sessions/strata/records';
import type { KeptConversation } from '../kept-conversation';
import { knownPrefix } from './continuation';
import { isSystemPrompt, newestMessage, systemPrefix } from './system-prompt';

/** The records that make the conversation end with these entries. */
export function entryRecords(conversation: Conversation, entries: readonly UnplacedEntry[]): ConversationRecord[] {
  const known = knownPrefix(entries, new Set(conversation.entries.map(({ id }) => id)));
  const last = entries.at(-1)?.id ?? null;
  if (known === entries.length) return newestMessage(conversation) === last ? [] : [{ type: 'leaf', id: last }];
  return entries
    .map((entry, index) => ({ type: 'entry', parent: entries[index - 1]?.id ?? null, entry }) as const)
    .slice(known);
}

/** Records for the surroundings that changed since the last write. */
export function surroundingRecords(
  kept: Pick<KeptConversation, 'conversation' | 'model' | 'contextWindow'>,
  now: Surroundings,
  time: string,
): ConversationRecord[] {
  const records: ConversationRecord[] = [];
  const { model, contextWindow } = now;
  if (kept.model !== model || kept.contextWindow !== contextWindow) {
    records.push({ type: 'model', model, contextWindow });
  }
  const written = kept.conversation.entries.filter(isSystemPrompt);
  const entry = systemPrompt(now, written.length, time);
  const before = written.at(-1);
  const isNew = before ? contentOf(before.parts) !== contentOf(entry.parts) : entry.parts.length > 0;
  return isNew ? [...records, { type: 'system', entry }] : records;
}

/** `count`: number of earlier prompts. A prompt that comes back is a new entry. */
export function systemPrompt({ system, tools }: Surroundings, count: number, time: string): UnplacedEntry {
  const texts = system.map((text): Part => ({ type: 'text', text }));
  const parts = tools === null ? texts : [...texts, tools];
  return { id: `${systemPrefix}${count}:${hashOf(contentOf(parts))}`, role: 'system', parts, timestamp: time };
}

function contentOf(parts: readonly Part[]): string {
  return stableJson(parts);
}

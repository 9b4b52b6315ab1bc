import type { Conversation } from '../../engine/conversation/conversation';
import type { Entry, Part, ToolDefinitionsPart } from '../../engine/conversation/entry';
import type { ConversationRecord } from '../../sessions/strata/records';
import { hashOf, stableJson } from '../recognition/chain';
import { knownPrefix } from '../recognition/continuation';
import type { UnplacedEntry } from '../recognition/received';
import type { KeptConversation } from './kept-conversation';

/** What surrounds the messages of a request. */
export interface Surroundings {
  readonly system: readonly string[];
  readonly tools: ToolDefinitionsPart | null;
  readonly model: string;
  /** Tokens; null where nobody says. */
  readonly contextWindow: number | null;
}

/** What is to be written so that the conversation goes as far as these entries, and no further. */
export function entryRecords(conversation: Conversation, entries: readonly UnplacedEntry[]): ConversationRecord[] {
  const known = knownPrefix(entries, new Set(conversation.entries.map(({ id }) => id)));
  const last = entries.at(-1)?.id ?? null;
  if (known === entries.length) return newestMessage(conversation) === last ? [] : [{ type: 'leaf', id: last }];
  return entries
    .map((entry, index) => ({ type: 'entry', parent: entries[index - 1]?.id ?? null, entry }) as const)
    .slice(known);
}

/** The message that the next one would follow; null before the first. */
export function newestMessage({ agentContext }: Pick<Conversation, 'agentContext'>): string | null {
  return agentContext.findLast((entry) => !isSystemPrompt(entry))?.id ?? null;
}

const systemPrefix = 'system:';

/** The system prompt of a request stands outside the chain, and so does its id. */
export function isSystemPrompt({ id, role }: Pick<Entry, 'id' | 'role'>): boolean {
  return role === 'system' && id.startsWith(systemPrefix);
}

/** What has changed of the surroundings since they were written last. */
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

/** `count` says how many there were before: a prompt that comes back is another entry. */
export function systemPrompt({ system, tools }: Surroundings, count: number, time: string): UnplacedEntry {
  const texts = system.map((text): Part => ({ type: 'text', text }));
  const parts = tools === null ? texts : [...texts, tools];
  return { id: `${systemPrefix}${count}:${hashOf(contentOf(parts))}`, role: 'system', parts, timestamp: time };
}

function contentOf(parts: readonly Part[]): string {
  return stableJson(parts);
}

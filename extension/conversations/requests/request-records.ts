import type { Entry, Part } from '../../engine/conversation/entry';
import { hashOf, stableJson } from '../../middleware/recognition/chain';
import type { UnplacedEntry } from '../../middleware/recognition/received';
import type { Surroundings } from '../../middleware/requests/recording';
import type { ConversationRecord } from '../../sessions/strata/records';
import type { ServedConversation } from '../served-conversation';
import { newestMessage, systemPrefix } from './system-prompt';

/** The records that make the conversation end with the first of these entries, up to `end`. */
export function entryRecords(
  { conversation, known: written }: Pick<ServedConversation, 'conversation' | 'known'>,
  entries: readonly UnplacedEntry[],
  end = entries.length,
): ConversationRecord[] {
  const known = Math.min(end, written.prefixOf(entries));
  const last = entries[end - 1]?.id ?? null;
  if (known === end) return newestMessage(conversation) === last ? [] : [{ type: 'leaf', id: last }];
  return entries.slice(known, end).map((entry, index) => {
    const parent = entries[known + index - 1]?.id ?? null;
    return { type: 'entry', parent, entry } as const;
  });
}

/** Records for the system prompt and tools that changed since the last write. */
export function surroundingRecords(
  before: Pick<ServedConversation, 'known' | 'model' | 'contextWindow'>,
  now: Surroundings,
  time: string,
): ConversationRecord[] {
  const records: ConversationRecord[] = [];
  const { model, contextWindow } = now;
  if (before.model !== model || before.contextWindow !== contextWindow) {
    records.push({ type: 'model', model, contextWindow });
  }
  const written = before.known.systemPrompts;
  const newest = written.at(-1);
  if (newest && hasSamePrompts(matchingRequest.get(newest), now)) return records;
  const entry = systemPrompt(now, written.length, time);
  const isNew = newest ? contentOf(newest.parts) !== contentOf(entry.parts) : entry.parts.length > 0;
  if (newest && !isNew) matchingRequest.set(newest, { system: now.system, tools: now.tools });
  return isNew ? [...records, { type: 'system', entry }] : records;
}

type Prompts = Pick<Surroundings, 'system' | 'tools'>;

/** The prompts and tools of the newest request that an entry was compared with and equalled. */
const matchingRequest = new WeakMap<Entry, Prompts>();

/** A request that continues a known one has the same tools, as the same object. */
function hasSamePrompts(before: Prompts | undefined, { system, tools }: Prompts): boolean {
  if (before === undefined || before.tools !== tools || before.system.length !== system.length) return false;
  return before.system.every((text, index) => text === system[index]);
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

import type { AgentCompaction } from '../../../engine/conversation/conversation';
import { type Entry, textOf, toolCalls } from '../../../engine/conversation/entry';
import { withParts } from '../../../sessions/gemini-content/known-entries';
import type { MessagePlace } from './entries';

/** Gemini CLI does not record compactions. Only a list of messages with a new summary shows one. */
export function isSummary(entry: Entry): boolean {
  return entry.role === 'user' && /^\s*<state_snapshot>[\s\S]*<\/state_snapshot>/.test(textOf(entry.parts));
}

/**
 * The compaction that a new list of messages made; null if it removed or cleared nothing.
 * @param before recorded entries of the context before the list.
 * @param summary the list's new summary candidate.
 */
export function compactionOf(
  before: readonly Entry[],
  after: readonly Entry[],
  summary: Entry | null,
  place: MessagePlace,
): AgentCompaction | null {
  const now = new Map(after.map((entry) => [entry.id, entry]));
  const calls = new Set(after.flatMap((entry) => toolCalls(entry.parts).map((call) => call.callId)));
  const replaced = before.filter((entry) => {
    const kept = now.get(entry.id);
    if (kept === undefined) return summary !== null && !isPendingResult(entry, calls);
    return entry.role === 'tool' && withParts(entry, kept.parts) !== entry;
  });
  if (replaced.length === 0) return null;
  return {
    id: `compaction-${place.origin.line}`,
    kind: summary === null ? 'cleared' : 'summary',
    timestamp: place.timestamp,
    summaryEntryId: summary?.id ?? null,
    replacedEntryIds: replaced.map((entry) => entry.id),
    tokensBefore: null,
    tokensAfter: null,
    trigger: null,
    origin: place.origin,
  };
}

/** A list written while a tool runs contains only the call; the result follows as a message of its own. */
function isPendingResult({ parts: [first] }: Entry, calls: ReadonlySet<string>): boolean {
  return first?.type === 'tool_result' && calls.has(first.callId);
}

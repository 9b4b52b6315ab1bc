import { type Entry, toolCalls } from '../../../engine/conversation/entry';
import { oncePer } from '../../../engine/conversation/once-per';
import { PairedContext } from '../../../sessions/records/paired-context';
import type { ListedMessage } from './message-list';

/*
 * The context that Gemini CLI 0.61.0 sends: its messages in order, without thoughts. After a resume it sends each result
 * twice, because the file contains it twice; only the first is shown here, since providers accept one per call.
 */

/** Gemini CLI's own text. */
const missingResult = 'The tool execution result was lost due to context management truncation.';

/** Gemini CLI's own text. It closes a turn that ended with a result before the next prompt. */
const interrupted = '[The previous response was interrupted before it completed.]';

export function contextOf(slots: readonly ListedMessage[]): Entry[] {
  const context = new PairedContext(missingResult);
  const sent = new Set<string>();
  let last: Entry | null = null;
  for (const { entries } of slots) {
    const fresh = entries.some(({ id }) => sent.has(id)) ? entries.filter(({ id }) => !sent.has(id)) : entries;
    if (last?.role === 'tool' && fresh[0]?.role === 'user') context.reply(interruption(last));
    for (const entry of fresh) {
      sent.add(entry.id);
      const content = withoutThoughts(entry);
      if (content.parts.length > 0) context.add(content);
      last = entry;
    }
  }
  return context.end();
}

/**
 * The reply that Gemini CLI adds after a result. The file does not have it, so its origin is that of the result. There is
 * one object per result, because entries are compared by identity.
 */
const interruption = oncePer(({ id, origin }: Entry): Entry => {
  const parts = [{ type: 'text' as const, text: interrupted }];
  return { id: `${id}:interrupted`, role: 'assistant', parts, timestamp: null, origin };
});

function withoutThoughts(entry: Entry): Entry {
  return entry.parts.some((part) => part.type === 'reasoning') ? thoughtsRemoved(entry) : entry;
}

const thoughtsRemoved = oncePer(
  (entry: Entry): Entry => ({ ...entry, parts: entry.parts.filter((part) => part.type !== 'reasoning') }),
);

export function awaitsReply(slots: readonly ListedMessage[]): boolean {
  const newest = slots.findLast(({ entries }) => entries.some(asksOrAnswers))?.entries ?? [];
  const last = newest.findLast(asksOrAnswers);
  if (last === undefined) return false;
  return last.role !== 'assistant' || toolCalls(last.parts).length > 0;
}

function asksOrAnswers(entry: Entry): boolean {
  return entry.role !== 'user' || !entry.injected;
}

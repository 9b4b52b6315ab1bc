import { type Entry, toolCalls } from '../../engine/conversation/entry';
import { lastWhere } from '../records/last';
import { PairedContext } from '../records/paired-context';
import type { Slot } from './message-list';

/*
 * What Gemini CLI would send, by version 0.61.0: its messages in order, without thoughts. After a resume it sends each
 * result twice, because its file has it twice; a provider takes one, and one is shown.
 */

/** In the words of the program. */
const missingResult = 'The tool execution result was lost due to context management truncation.';

/** In the words of the program: it closes a turn that stopped at a result before it sends the next prompt. */
const interrupted = '[The previous response was interrupted before it completed.]';

export function contextOf(slots: readonly Slot[]): Entry[] {
  const context = new PairedContext(missingResult);
  const sent = new Set<string>();
  let last: Entry | null = null;
  for (const { entries } of slots) {
    const fresh = entries.filter((entry) => !sent.has(entry.id));
    if (last?.role === 'tool' && fresh[0]?.role === 'user') context.reply(interruption(last));
    for (const entry of fresh) {
      sent.add(entry.id);
      send(context, withoutThoughts(entry));
      last = entry;
    }
  }
  return context.end();
}

/** It stands in no record, so its origin is that of the result. */
function interruption({ id, origin }: Entry): Entry {
  const parts = [{ type: 'text' as const, text: interrupted }];
  return { id: `${id}:interrupted`, role: 'assistant', parts, timestamp: null, origin };
}

function send(context: PairedContext, entry: Entry): void {
  if (entry.parts.length === 0) return;
  if (entry.role === 'assistant') context.reply(entry);
  else if (entry.role === 'tool') context.result(entry);
  else context.text(entry);
}

/** One form of each entry, so that who keeps something by the object finds it again. */
const thoughtless = new WeakMap<Entry, Entry>();

function withoutThoughts(entry: Entry): Entry {
  if (!entry.parts.some((part) => part.type === 'reasoning')) return entry;
  const known = thoughtless.get(entry);
  if (known !== undefined) return known;
  const sent = { ...entry, parts: entry.parts.filter((part) => part.type !== 'reasoning') };
  thoughtless.set(entry, sent);
  return sent;
}

export function awaitsReply(slots: readonly Slot[]): boolean {
  const newest = lastWhere(slots, ({ entries }) => entries.some(asksOrAnswers))?.entries ?? [];
  const last = lastWhere(newest, asksOrAnswers);
  if (last === undefined) return false;
  return last.role !== 'assistant' || toolCalls(last.parts).length > 0;
}

function asksOrAnswers(entry: Entry): boolean {
  return entry.role !== 'user' || !entry.injected;
}

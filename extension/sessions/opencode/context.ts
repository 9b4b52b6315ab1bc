import type { Entry } from '../../engine/conversation/entry';
import { append } from '../records/append';
import { asName } from '../records/json';
import { asSentTo, type MessageEntries, type Step } from './entries';
import { compactionPart, isSummary, modelOf } from './message';

/*
 * What OpenCode would send, by the program of version 1.18.33: everything back to the newest compaction whose summary
 * came to its end; where that kept the newest messages as they were, they follow its summary.
 */

/** After the first `count` messages, by default all. Looks back no further than what is sent. */
export function contextOf(messages: readonly MessageEntries[], count = messages.length): Entry[] {
  const sent = sentMessages(messages, count);
  const model = modelAsked(messages, count);
  const steps: Step[] = [];
  for (const message of sent) append(steps, asSentTo(model, message));
  return entriesOf(steps);
}

/** The model that the newest prompt is for; empty where it does not say. */
function modelAsked(messages: readonly MessageEntries[], count: number): string {
  for (let index = count - 1; index >= 0; index -= 1) {
    const message = messages[index]?.message;
    if (message?.data.role === 'user') return modelOf(message);
  }
  return '';
}

/** The messages that are sent, in their order. */
function sentMessages(messages: readonly MessageEntries[], count: number): readonly MessageEntries[] {
  const compaction = newestCompaction(messages, count);
  if (compaction === null) return messages.slice(0, count);
  const { asked, summary, tail } = compaction;
  if (tail === null) return messages.slice(asked, count);
  const kept = placeBefore(messages, asked, tail);
  // What was to be kept is not there: OpenCode looks for it back to the first message, and sends all of them.
  if (kept < 0) return messages.slice(0, count);
  const later = messages.slice(summary + 1, count);
  return [...messages.slice(asked, summary + 1), ...messages.slice(kept, asked), ...later];
}

function placeBefore(messages: readonly MessageEntries[], end: number, id: string): number {
  for (let index = end - 1; index >= 0; index -= 1) if (messages[index]?.message.id === id) return index;
  return -1;
}

interface FoundCompaction {
  /** The places of the message that asked for it, and of its summary. */
  readonly asked: number;
  readonly summary: number;
  /** The id of the first message that it kept as it was; null where it kept none. */
  readonly tail: string | null;
}

function newestCompaction(messages: readonly MessageEntries[], count: number): FoundCompaction | null {
  const summaries = new Map<string, number>();
  for (let asked = count - 1; asked >= 0; asked -= 1) {
    const message = messages[asked]?.message;
    if (message === undefined) continue;
    if (isSummary(message)) summaries.set(asName(message.data.parentID) ?? '', asked);
    const summary = summaries.get(message.id);
    const part = summary === undefined ? null : compactionPart(message);
    if (part !== null && summary !== undefined) return { asked, summary, tail: asName(part.data.tail_start_id) };
  }
  return null;
}

function entriesOf(steps: readonly Step[]): Entry[] {
  const entries: Entry[] = [];
  for (const [index, { entry, results }] of steps.entries()) {
    // The calls of the newest reply may still be running; it is the newest if nothing was said after it.
    const isNewest = index === steps.length - 1;
    if (entry.parts.length > 0) entries.push(entry);
    for (const result of results) if (!result.isMadeUp || !isNewest) entries.push(result.entry);
  }
  return entries;
}

import type { Entry } from '../../engine/conversation/entry';
import { append } from '../records/append';
import { asName } from '../records/json';
import { lastWhere } from '../records/last';
import { asSentTo, type MessageEntries, type Step } from './entries';
import { compactionPart, isSummary, modelOf } from './message';

/*
 * What OpenCode would send, by the program of version 1.18.33: everything back to the newest compaction whose summary
 * came to its end; where that kept the newest messages as they were, they follow its summary.
 */

export function contextOf(messages: readonly MessageEntries[]): Entry[] {
  const sent = sentMessages(messages);
  const asked = lastWhere(messages, ({ message }) => message.data.role === 'user');
  const model = asked === undefined ? '' : modelOf(asked.message);
  return entriesOf(sent.flatMap((message) => asSentTo(model, message)));
}

/** The messages that are sent, in their order. */
function sentMessages(messages: readonly MessageEntries[]): readonly MessageEntries[] {
  const compaction = newestCompaction(messages);
  if (compaction === null) return messages;
  const { asked, summary, tail } = compaction;
  if (tail === null) return messages.slice(asked);
  const kept = messages.slice(0, asked).findIndex(({ message }) => message.id === tail);
  // What was to be kept is not there: OpenCode looks for it back to the first message, and sends all of them.
  if (kept < 0) return messages;
  return [...messages.slice(asked, summary + 1), ...messages.slice(kept, asked), ...messages.slice(summary + 1)];
}

interface FoundCompaction {
  /** The places of the message that asked for it, and of its summary. */
  readonly asked: number;
  readonly summary: number;
  /** The id of the first message that it kept as it was; null where it kept none. */
  readonly tail: string | null;
}

function newestCompaction(messages: readonly MessageEntries[]): FoundCompaction | null {
  const summaries = new Map<string, number>();
  for (let asked = messages.length - 1; asked >= 0; asked -= 1) {
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
    append(
      entries,
      results.filter(({ isMadeUp }) => !isMadeUp || !isNewest).map((result) => result.entry),
    );
  }
  return entries;
}

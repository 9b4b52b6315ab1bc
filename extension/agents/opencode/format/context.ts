import type { Entry } from '../../../engine/conversation/entry';
import { append } from '../../../platform/json/append';
import { asSentTo, type MessageEntries, type Step } from './entries';
import { compactionPart, isSummary, modelOf } from './message';

/*
 * The context that OpenCode 1.18.33 sends: everything from the newest compaction with a finished summary on. Messages
 * that the compaction kept follow its summary.
 */

/** The context after the first `count` messages, by default all. Visits only messages that are sent. */
export function contextOf(messages: readonly MessageEntries[], count = messages.length): Entry[] {
  const sent = sentMessages(messages, count);
  const model = requestedModel(messages, count);
  const steps: Step[] = [];
  for (const message of sent) append(steps, asSentTo(model, message));
  return entriesOf(steps);
}

/** The model of the newest prompt; empty if it names none. */
function requestedModel(messages: readonly MessageEntries[], count: number): string {
  for (let index = count - 1; index >= 0; index -= 1) {
    const message = messages[index]?.message;
    if (message?.data.role === 'user') return modelOf(message);
  }
  return '';
}

/** The messages that are sent, in order. */
function sentMessages(messages: readonly MessageEntries[], count: number): readonly MessageEntries[] {
  const compaction = newestCompaction(messages, count);
  if (compaction === null) return messages.slice(0, count);
  const { request, summary, firstKeptId } = compaction;
  if (firstKeptId === null) return messages.slice(request, count);
  const kept = indexBefore(messages, request, firstKeptId);
  // OpenCode searches the kept message back to the first one, and sends all messages if it is missing.
  if (kept < 0) return messages.slice(0, count);
  const later = messages.slice(summary + 1, count);
  return [...messages.slice(request, summary + 1), ...messages.slice(kept, request), ...later];
}

function indexBefore(messages: readonly MessageEntries[], end: number, id: string): number {
  for (let index = end - 1; index >= 0; index -= 1) if (messages[index]?.message.id === id) return index;
  return -1;
}

interface FoundCompaction {
  /** Index of the message that requested it. */
  readonly request: number;
  /** Index of its summary. */
  readonly summary: number;
  /** Id of the first message that it kept; null if it kept none. */
  readonly firstKeptId: string | null;
}

function newestCompaction(messages: readonly MessageEntries[], count: number): FoundCompaction | null {
  const summaries = new Map<string, number>();
  for (let index = count - 1; index >= 0; index -= 1) {
    const message = messages[index]?.message;
    if (message === undefined) continue;
    if (isSummary(message)) summaries.set(message.data.parentID ?? '', index);
    const summary = summaries.get(message.id);
    const part = summary === undefined ? null : compactionPart(message);
    if (part !== null && summary !== undefined) {
      return { request: index, summary, firstKeptId: part.data.tail_start_id };
    }
  }
  return null;
}

function entriesOf(steps: readonly Step[]): Entry[] {
  const entries: Entry[] = [];
  for (const [index, { entry, results }] of steps.entries()) {
    // The calls of the newest reply may still be running, so it gets no placeholders.
    const isNewest = index === steps.length - 1;
    if (entry.parts.length > 0) entries.push(entry);
    for (const result of results) if (!result.isPlaceholder || !isNewest) entries.push(result.entry);
  }
  return entries;
}

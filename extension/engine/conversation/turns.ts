import { blockForm, type ContextMessage } from './context';
import { toolCalls, toolResults } from './entry';

/**
 * A stretch of the context that is never split. A turn is a user message and all that follows it up to the next user
 * message. What stands before the first turn, a block over whole turns and an agent's summary are segments that no user
 * opens. Where a person speaks between a tool call and its result, both sides are one segment.
 */
export interface Segment {
  /** Index of the first message. */
  readonly start: number;
  /** Index after the last message. */
  readonly end: number;
  readonly openedByUser: boolean;
}

export function segmentsOf(messages: readonly ContextMessage[]): Segment[] {
  const segments: Segment[] = [];
  const answeredAt = answersOf(messages);
  let start = 0;
  let pendingUntil = -1;
  for (let index = 1; index <= messages.length; index += 1) {
    pendingUntil = Math.max(pendingUntil, answeredAt.get(index - 1) ?? -1);
    const next = messages[index];
    if (next && (index <= pendingUntil || !opensSegment(next, messages[index - 1]))) continue;
    segments.push({ start, end: index, openedByUser: opensTurn(messages[start]) });
    start = index;
  }
  return messages.length > 0 ? segments : [];
}

/**
 * For the index of each reply with tool calls, the index of the last message that answers one of them. Some servers
 * give the same id again and again: a result belongs to the newest call before it.
 */
function answersOf(messages: readonly ContextMessage[]): Map<number, number> {
  const answers = new Map<number, number>();
  const calledAt = new Map<string, number>();
  for (const [index, { parts }] of messages.entries()) {
    for (const { callId } of toolResults(parts)) {
      const call = calledAt.get(callId);
      if (call !== undefined) answers.set(call, index);
    }
    for (const { callId } of toolCalls(parts)) calledAt.set(callId, index);
  }
  return answers;
}

/** A person's own words open a turn; reminders and notifications under the user role do not. */
export function opensTurn(message: ContextMessage | undefined): boolean {
  return message?.kind === 'user' && !message.injected;
}

/** The person's message that opens a segment, where one does. */
export function openerOf(messages: readonly ContextMessage[], { start }: Segment): ContextMessage | null {
  const first = messages[start];
  return first && opensTurn(first) ? first : null;
}

function opensSegment(message: ContextMessage, before: ContextMessage | undefined): boolean {
  return opensTurn(message) || standsAlone(message) || (before !== undefined && standsAlone(before));
}

/** What stands for whole turns: a block over them, or the summary of the agent's own compaction. */
export function standsAlone({ kind, block }: ContextMessage): boolean {
  if (block) return blockForm(block.metadata.summary_type).covers === 'turns';
  return kind === 'summary';
}

/** Index of the first message that is younger than the age line or in the live turn. */
export function endOfOld(messages: readonly ContextMessage[], messagesOld: number): number {
  return oldSegments(messages, messagesOld).at(-1)?.end ?? 0;
}

/**
 * The segments that compaction may touch: all of their messages older than the age line, and not the live turn, which
 * is the newest segment. `messagesOld` counts messages back from the newest.
 */
export function oldSegments(messages: readonly ContextMessage[], messagesOld: number): Segment[] {
  const ageLine = messages.length - messagesOld;
  return segmentsOf(messages)
    .slice(0, -1)
    .filter((segment) => segment.end <= ageLine);
}

import { blockOf, type ContextMessage, coversTurns } from './context';
import { toolCalls, toolResults } from './entry';
import { oncePer } from './once-per';

/**
 * The smallest stretch of the context that may be cut away by itself: a reply with the results of all its calls and
 * whatever is between them, or one other message.
 */
export interface Step {
  /** Index of the first message. */
  readonly start: number;
  /** Index after the last message. */
  readonly end: number;
  /** A call in it has no result: it may still be running. */
  readonly isOpen: boolean;
}

/**
 * The steps of a context, oldest first; together they are all of its messages. Linear in the messages. Providers may
 * repeat a call id, so a result answers the newest call with its id.
 */
export const stepsOf = oncePer((messages: readonly ContextMessage[]): readonly Step[] => {
  const answeredAt = new Map<number, number>();
  const unanswered = new Map<number, number>();
  const calledAt = new Map<string, number>();
  for (const [index, { parts }] of messages.entries()) {
    for (const { callId } of toolResults(parts)) {
      const call = calledAt.get(callId);
      if (call === undefined) continue;
      answeredAt.set(call, index);
      unanswered.set(call, (unanswered.get(call) ?? 1) - 1);
    }
    const calls = toolCalls(parts);
    if (calls.length > 0) unanswered.set(index, calls.length);
    for (const { callId } of calls) calledAt.set(callId, index);
  }
  const steps: Step[] = [];
  let start = 0;
  let until = 0;
  let isOpen = false;
  for (const index of messages.keys()) {
    until = Math.max(until, index, answeredAt.get(index) ?? 0);
    isOpen ||= (unanswered.get(index) ?? 0) > 0;
    if (index < until) continue;
    steps.push({ start, end: index + 1, isOpen });
    start = index + 1;
    isOpen = false;
  }
  return steps;
});

/**
 * A range of the context that is never split. A turn is a user message and everything up to the next user message.
 * Messages before the first turn, blocks over whole turns and agent summaries are segments without an opening user
 * message. If a person writes between a tool call and its result, both sides form one segment.
 */
export interface Segment {
  /** Index of the first message. */
  readonly start: number;
  /** Index after the last message. */
  readonly end: number;
  readonly openedByUser: boolean;
}

export const segmentsOf = oncePer((messages: readonly ContextMessage[]): readonly Segment[] => {
  const starts = stepsOf(messages)
    .map(({ start }) => start)
    .filter((start) => start === 0 || opensSegment(messages[start], messages[start - 1]));
  return starts.map((start, at) => ({
    start,
    end: starts[at + 1] ?? messages.length,
    openedByUser: opensTurn(messages[start]),
  }));
});

/** A reminder, a notification, output of a hook: what the program of the agent says in the user role, for its turn. */
export function isProgramNote({ kind, injected }: ContextMessage): boolean {
  return kind === 'user' && injected;
}

/** Whether a person wrote the message. Reminders and notifications in the user role open no turn. */
export function opensTurn(message: ContextMessage | undefined): boolean {
  return message?.kind === 'user' && !message.injected;
}

export function openerOf(messages: readonly ContextMessage[], { start }: Segment): ContextMessage | null {
  const first = messages[start];
  return first && opensTurn(first) ? first : null;
}

function opensSegment(message: ContextMessage | undefined, before: ContextMessage | undefined): boolean {
  return opensTurn(message) || replacesTurns(message) || replacesTurns(before);
}

/** Whether a message replaces whole turns: a block over turns, or a summary by the agent itself. */
function replacesTurns(message: ContextMessage | undefined): boolean {
  if (message === undefined) return false;
  const block = blockOf(message);
  if (block) return coversTurns(block.metadata.summary_type);
  return message.kind === 'summary';
}

/** Index of the first message that is younger than the age line or in the live turn. */
export function endOfOld(messages: readonly ContextMessage[], messagesOld: number): number {
  return oldSegments(messages, messagesOld).at(-1)?.end ?? 0;
}

/**
 * The segments that compaction may touch: completely older than the age line, and not the live turn, which is the
 * newest segment. `messagesOld` counts messages back from the newest one.
 */
export function oldSegments(messages: readonly ContextMessage[], messagesOld: number): Segment[] {
  const ageLine = messages.length - messagesOld;
  return segmentsOf(messages)
    .slice(0, -1)
    .filter((segment) => segment.end <= ageLine);
}

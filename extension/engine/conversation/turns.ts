import { blockForm, type ContextMessage } from './context';
import { sameFromStart } from './same-start';

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

/** A list of messages is never altered once it is there, and every step of a strategy asks anew. */
const known = new WeakMap<readonly ContextMessage[], readonly Segment[]>();
/** By the first message, the list that was asked for last: a context that only goes on differs from it at its end. */
const newestFrom = new WeakMap<ContextMessage, readonly ContextMessage[]>();

export function segmentsOf(messages: readonly ContextMessage[]): readonly Segment[] {
  const [first] = messages;
  if (!first) return [];
  const segments = known.get(messages) ?? segmentsFrom(messages, newestFrom.get(first) ?? []);
  known.set(messages, segments);
  newestFrom.set(first, messages);
  return segments;
}

/** What ends before the two lists part is the same in both, unless a result beyond that answers a call before it. */
function segmentsFrom(messages: readonly ContextMessage[], before: readonly ContextMessage[]): readonly Segment[] {
  const same = sameFromStart(before, messages);
  const old = known.get(before) ?? [];
  const kept = old.slice(0, old.findLastIndex(({ end }) => end < same) + 1);
  const start = kept.at(-1)?.end ?? 0;
  const answers = answersOf(messages, start);
  const isWhole = start === 0 || !answers.strays.some((index) => index >= same);
  return isWhole
    ? kept.concat(findSegments(messages, start, answers.answeredAt))
    : findSegments(messages, 0, answersOf(messages, 0).answeredAt);
}

function findSegments(
  messages: readonly ContextMessage[],
  from: number,
  answeredAt: ReadonlyMap<number, number>,
): Segment[] {
  const segments: Segment[] = [];
  let start = from;
  let pendingUntil = -1;
  for (let index = from + 1; index <= messages.length; index += 1) {
    pendingUntil = Math.max(pendingUntil, answeredAt.get(index - 1) ?? -1);
    const next = messages[index];
    if (next && (index <= pendingUntil || !opensSegment(next, messages[index - 1]))) continue;
    segments.push({ start, end: index, openedByUser: opensTurn(messages[start]) });
    start = index;
  }
  return segments;
}

interface FoundAnswers {
  /** For the index of each reply with tool calls, the index of the last message that answers one of them. */
  readonly answeredAt: ReadonlyMap<number, number>;
  /** Indices of messages with results whose calls were not found. */
  readonly strays: readonly number[];
}

/** Some servers give the same id again and again: a result belongs to the newest call before it. */
function answersOf(messages: readonly ContextMessage[], from: number): FoundAnswers {
  const answeredAt = new Map<number, number>();
  const calledAt = new Map<string, number>();
  const strays: number[] = [];
  for (let index = from; index < messages.length; index += 1) {
    const parts = messages[index]?.parts ?? [];
    for (const part of parts) {
      if (part.type !== 'tool_result') continue;
      const call = calledAt.get(part.callId);
      if (call === undefined) strays.push(index);
      else answeredAt.set(call, index);
    }
    for (const part of parts) if (part.type === 'tool_call') calledAt.set(part.callId, index);
  }
  return { answeredAt, strays };
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

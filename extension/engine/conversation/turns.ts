import { commonPrefixLength } from './common-prefix';
import { blockForm, blockOf, type ContextMessage } from './context';

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

/** Segments by message list. A list is never modified, and every step of a strategy asks for its segments. */
const known = new WeakMap<readonly ContextMessage[], readonly Segment[]>();
/** The newest list that begins with a message. A growing context differs from it only at its end. */
const newestFrom = new WeakMap<ContextMessage, readonly ContextMessage[]>();

export function segmentsOf(messages: readonly ContextMessage[]): readonly Segment[] {
  const [first] = messages;
  if (!first) return [];
  const segments = known.get(messages) ?? segmentsFrom(messages, newestFrom.get(first) ?? []);
  known.set(messages, segments);
  newestFrom.set(first, messages);
  return segments;
}

/** Reuses the segments that end before the two lists differ, unless a later result answers a call in them. */
function segmentsFrom(messages: readonly ContextMessage[], before: readonly ContextMessage[]): readonly Segment[] {
  const same = commonPrefixLength(before, messages);
  const old = known.get(before) ?? [];
  const kept = old.slice(0, old.findLastIndex(({ end }) => end < same) + 1);
  const start = kept.at(-1)?.end ?? 0;
  const answers = answersOf(messages, start);
  const isWhole = start === 0 || !answers.orphans.some((index) => index >= same);
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

interface Answers {
  /** For each reply with tool calls, by index: the index of the last message that answers one of them. */
  readonly answeredAt: ReadonlyMap<number, number>;
  /** Indices of messages with results that have no call. */
  readonly orphans: readonly number[];
}

/** Some servers reuse ids: a result belongs to the newest call before it. */
function answersOf(messages: readonly ContextMessage[], from: number): Answers {
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
  return { answeredAt, orphans: strays };
}

/** A reminder, a notification, output of a hook: what the program of the agent says in the user role, for its turn. */
export function isProgramNote({ kind, injected }: ContextMessage): boolean {
  return kind === 'user' && injected;
}

/** Whether a person wrote the message. Reminders and notifications in the user role open no turn. */
export function opensTurn(message: ContextMessage | undefined): boolean {
  return message?.kind === 'user' && !message.injected;
}

/** The user message that opens a segment, if any. */
export function openerOf(messages: readonly ContextMessage[], { start }: Segment): ContextMessage | null {
  const first = messages[start];
  return first && opensTurn(first) ? first : null;
}

function opensSegment(message: ContextMessage, before: ContextMessage | undefined): boolean {
  return opensTurn(message) || replacesTurns(message) || (before !== undefined && replacesTurns(before));
}

/** Whether a message replaces whole turns: a block over turns, or a summary by the agent itself. */
function replacesTurns(message: ContextMessage): boolean {
  const block = blockOf(message);
  if (block) return blockForm(block.metadata.summary_type).covers === 'turns';
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

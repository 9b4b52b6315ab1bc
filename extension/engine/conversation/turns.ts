import { blockForm, type ContextMessage } from './context';

/**
 * A stretch of the context that is never split. A turn is a user message and all that follows it up to the next user
 * message. What stands before the first turn, and a goal batch or an agent's summary, is a segment that no user opens.
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
  let start = 0;
  for (let index = 1; index <= messages.length; index += 1) {
    const next = messages[index];
    if (next && !opensSegment(next, messages[index - 1])) continue;
    segments.push({ start, end: index, openedByUser: opensTurn(messages[start]) });
    start = index;
  }
  return messages.length > 0 ? segments : [];
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

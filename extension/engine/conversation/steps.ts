import { type ContextMessage, tokensOf } from './context';
import { toolCalls, toolResults } from './entry';
import { oncePer } from './once-per';
import { opensTurn } from './turns';

/**
 * The smallest stretch of the context that may be cut away by itself: a reply with the results of all its calls and
 * whatever is between them, or one other message.
 */
interface Step {
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

/** Messages, by index, that a run never touches, whatever its target. */
interface Untouchable {
  /** The prompt of the live turn, its open calls, its newest step, the system prompt and the core. */
  readonly has: (index: number) => boolean;
  /** Index of the prompt of the live turn; -1 where no person has spoken. */
  readonly prompt: number;
  /** The first message of the newest step of the live turn; the length of the context where it has none. */
  readonly newestStep: number;
}

export function untouchableOf(messages: readonly ContextMessage[]): Untouchable {
  const prompt = messages.findLastIndex(opensTurn);
  const steps = stepsOf(messages);
  const live = steps.filter(({ end }) => end > prompt + 1);
  const newest = live.findLast(({ start, end }) => messages.slice(start, end).some(isAgentWork));
  const newestStep = newest?.start ?? messages.length;
  const open = new Set(live.filter(({ isOpen }) => isOpen).flatMap(indicesOf));
  const isFixed = ({ kind }: ContextMessage) => kind === 'system' || kind === 'core';
  return {
    prompt,
    newestStep,
    has: (index) => {
      const message = messages[index];
      return index === prompt || index >= newestStep || open.has(index) || (message !== undefined && isFixed(message));
    },
  };
}

/** Index of the first message of the newest step; of the live prompt where no work came after it. */
export function untouchableFrom(messages: readonly ContextMessage[]): number {
  const { newestStep, prompt } = untouchableOf(messages);
  return newestStep < messages.length || prompt === -1 ? newestStep : prompt;
}

/** Said or done by the agent itself. */
export function isAgentWork({ role, block }: ContextMessage): boolean {
  return !block && (role === 'assistant' || role === 'tool');
}

function indicesOf({ start, end }: Step): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset);
}

/**
 * Index of the first message of the newest steps that have at most `tokens` counted tokens together; the newest step is
 * always among them.
 */
export function startOfNewest(messages: readonly ContextMessage[], tokens: number): number {
  let left = tokens;
  let first = messages.length;
  for (const { start, end } of [...stepsOf(messages)].reverse()) {
    left -= tokensOf(messages.slice(start, end));
    if (left < 0 && first < messages.length) break;
    first = start;
    if (left < 0) break;
  }
  return first;
}

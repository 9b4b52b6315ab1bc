import { type ContextMessage, tokensOf } from './context';
import { opensTurn, type Step, stepsOf } from './turns';

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

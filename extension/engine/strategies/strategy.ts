import type { Parameters, PlanInput, PlanOutcome } from '../compaction/plan';
import type { ContextMessage } from '../conversation/context';
import { type Segment, segmentsOf } from '../conversation/turns';

/** Decides when and what to compact. One strategy a file; the registry names them. */
export interface Strategy<P extends Parameters = Parameters> {
  readonly name: string;
  readonly title: string;
  /** What it does, in a sentence or two. */
  readonly description: string;
  readonly defaults: P;
  /** The blocks worth making, or why there are none. The same input gives the same plans, in linear time. */
  plan(input: PlanInput, parameters: P): PlanOutcome;
}

/** A block has a tag and headings to carry: below this many counted tokens, what it replaces is hardly longer. */
export const smallestWorthwhile = 200;

export function tokensOf(messages: readonly ContextMessage[]): number {
  return messages.reduce((total, message) => total + message.tokens, 0);
}

/** Nothing old can be compacted: is there any of it at all, or is all of it too young? */
export function nothingOld(
  messages: readonly ContextMessage[],
  isOfThisKind: (segment: Segment) => boolean,
): PlanOutcome {
  return { kind: segmentsOf(messages).some(isOfThisKind) ? 'protected' : 'nothing-to-compact' };
}

/** Counts in words: "1 turn", "6 turns". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

import type { ContextMessage } from '../conversation/context';
import { type Segment, segmentsOf } from '../conversation/turns';
import type { Embedder, LanguageModel } from './language-model';
import type { Memory } from './memory';
import type { CompactionPlan, Parameters, PlanInput, PlanOutcome } from './plan';
import type { Summarizer, Summary, SummaryRequest } from './summary';

/** Decides when and what to compact. One strategy a file; the registry names them. */
export interface Strategy<P extends Parameters = Parameters> {
  readonly name: string;
  readonly title: string;
  /** What it does, in a sentence or two. */
  readonly description: string;
  readonly defaults: P;
  /** The blocks worth making, or why there are none. The same input gives the same plans, in linear time. */
  plan(input: PlanInput, parameters: P): PlanOutcome;
  /** The context size in tokens at which it starts by itself; absent where that goes by counts and ages instead. */
  readonly startsAt?: (contextWindow: number, parameters: P) => number;
  /** Index of the first message that is too young for it; absent where only the live turn is. */
  readonly untouchedFrom?: (input: AgeInput, parameters: P) => number;
  /** Writes the block of a plan. A strategy without it leaves that to the summarizer. */
  readonly write?: (order: WriteOrder) => Promise<WrittenBlock>;
  /** It writes nothing without an embedder. */
  readonly searchesByMeaning?: true;
}

export type AgeInput = Pick<PlanInput, 'messages' | 'floorTokens'>;

export interface WriteOrder {
  readonly plan: CompactionPlan;
  readonly request: SummaryRequest;
  /** What earlier blocks that still stand remember, oldest first. */
  readonly remembered: readonly Memory[];
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
}

/** What the caller of the engine provides for writing blocks. */
export interface WritingTools {
  readonly summarizer: Summarizer;
  /** Null where no model is configured: what would ask one extracts instead. */
  readonly model: LanguageModel | null;
  /** Loaded when it is first called. */
  readonly embedder: Embedder;
}

export interface WrittenBlock extends Summary {
  /** What made it: the summarizer, or the strategy itself. */
  readonly writer: { readonly name: string; readonly model: string | null };
  readonly memory?: Memory;
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

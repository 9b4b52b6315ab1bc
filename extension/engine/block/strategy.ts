import { blockOf, type ContextMessage } from '../conversation/context';
import { type Segment, segmentsOf } from '../conversation/turns';
import type { LocalizableText } from '../wording/localizable-text';
import type { Embedder, LanguageModel } from './language-model';
import type { Memory } from './memory';
import type { CompactionPlan, ContextSize, Parameters, PlanInput, PlanOutcome, Room } from './plan';
import type { Summarizer, Summary, SummaryRequest } from './summary';

/** Decides when and what to compact. The registry lists all strategies. */
export interface Strategy<P extends Parameters = Parameters> {
  readonly name: string;
  readonly title: LocalizableText;
  /** One or two sentences for a person who chooses. */
  readonly description: LocalizableText;
  readonly defaults: P;
  /**
   * Parameters with which it replaces everything before the live turn, for comparisons on equal terms. Absent: its defaults, with
   * `keepRecentTokens` 0.
   */
  readonly keepingNothing?: Partial<P>;
  /** Returns the blocks worth making, or why there are none. Deterministic, and linear in the number of messages. */
  plan(input: PlanInput, parameters: P): PlanOutcome;
  /** The context size in tokens at which it starts by itself. Absent: it starts by counts and ages instead. */
  readonly startsAt?: (contextWindow: number, parameters: P) => number;
  /**
   * It starts by itself when enough turns or calls are old enough, whatever the size of the context: no floor and no pause
   * in tokens holds it back. After a run it must wait for new ones, or it would start again and again.
   */
  readonly startsByCount?: true;
  /**
   * The target of a run of this strategy alone. Only for a strategy that can reach any size, also by cutting the live
   * turn. Absent: it does all that its rules allow.
   */
  readonly room?: (size: ContextSize, parameters: P) => Room;
  /** Index from which on no message is touched. Messages before it may stay as well. Absent: only the live turn is too young. */
  readonly untouchedFrom?: (input: AgeInput, parameters: P) => number;
  /** A sentence about how the resulting context exceeds the strategy's own parameters; null if it does not. */
  readonly shortfall?: (input: PlanInput, parameters: P) => LocalizableText | null;
  /** Writes the block of a plan. Absent: the summarizer writes it. */
  readonly write?: (order: WriteOrder) => Promise<WrittenBlock>;
  /**
   * A rung whose blocks the rungs above it replace. Where a model writes, it is left out if its blocks cannot reach the
   * target, so that no block is paid for that the same run replaces, or if that takes many of them.
   */
  readonly replacedByLater?: true;
  /** A rung that only replaces output which can be fetched again: it continues down to `Room.clearing`. */
  readonly clears?: true;
  /** No model writes its blocks: the strategy itself does, or `WritingTools.withoutModel` if the caller provides that. */
  readonly withoutModel?: true;
  /** Blocks planned together are written with as few model calls as possible. */
  readonly sharesCalls?: true;
  /** It needs an embedder to write. */
  readonly searchesByMeaning?: true;
}

export type AgeInput = Pick<PlanInput, 'messages' | 'floorTokens'>;

export interface WriteOrder {
  readonly plan: CompactionPlan;
  readonly request: SummaryRequest;
  /** Memories of the earlier blocks that are still active, oldest first. */
  readonly remembered: readonly Memory[];
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
}

/** The caller of the engine provides these for writing blocks. */
export interface WritingTools {
  readonly summarizer: Summarizer;
  /** Writes the blocks that must be made even if the summarizer fails. Absent: the summarizer writes them. */
  readonly withoutModel?: Summarizer;
  /** Null if no model is configured: then text is extracted instead. */
  readonly model: LanguageModel | null;
  /** Loaded on first use. */
  readonly embedder: Embedder;
}

export interface WrittenBlock extends Summary {
  /** The summarizer, or the strategy itself. */
  readonly writer: { readonly name: string; readonly model: string | null };
  readonly memory?: Memory;
}

/** A block that was written without a summarizer, and so at no cost. */
export function writtenBy(writer: string, body: string): WrittenBlock {
  return {
    body,
    spans: [],
    tokensSpent: { input: 0, output: 0 },
    promptHash: null,
    writer: { name: writer, model: null },
  };
}

/** In counted tokens. A block has a tag and headings, so a block for less than this would hardly be smaller. */
export const smallestWorthwhile = 200;

/** The outcome if nothing old can be compacted: either there is nothing of this kind, or all of it is too young. */
export function nothingOld(
  messages: readonly ContextMessage[],
  isOfThisKind: (segment: Segment) => boolean,
): PlanOutcome {
  return { kind: segmentsOf(messages).some(isOfThisKind) ? 'protected' : 'nothing-to-compact' };
}

/** True for a message of the conversation that is not a summary: summaries alone are not summarised again. */
export function isRaw(message: ContextMessage): boolean {
  const { kind } = message;
  return !blockOf(message) && kind !== 'summary' && kind !== 'system' && kind !== 'core';
}

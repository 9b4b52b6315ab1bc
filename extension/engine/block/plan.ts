import type { ContextMessage, ContextTokens } from '../conversation/context';
import type { SectionName } from './sections';

export type Parameters = Readonly<Record<string, number | boolean>>;

export interface PlanInput {
  readonly messages: readonly ContextMessage[];
  readonly tokens: ContextTokens;
  readonly contextWindow: number;
  /**
   * A person who asks for a compaction does not wait for a trigger; the rules on what may be touched hold all the same.
   */
  readonly trigger: 'manual' | 'automatic';
  /**
   * Index of the first message that came after the newest earlier compaction of whole turns, by the agent or by Strata;
   * 0 where there was none.
   */
  readonly sinceCompaction: number;
  /** The context is not to fall below this by much; 0 for no floor. */
  readonly floorTokens: number;
  /** First message keys of plans that came to nothing in this run; they are not planned again. */
  readonly rejected: ReadonlySet<string>;
}

/** Which messages a strategy would replace by one block, and why. Showing a plan changes nothing. */
export interface CompactionPlan {
  readonly strategy: string;
  readonly parameters: Parameters;
  readonly summaryType: string;
  /** What the summary is divided into; none for running text, or where no summary is written. */
  readonly sections: readonly SectionName[];
  /** The replaced messages by turn, oldest first. */
  readonly turns: readonly PlannedTurn[];
  readonly reason: string;
  /** Which part of the strategy made the plan, where it makes blocks of several kinds. */
  readonly tier?: string;
  /** Nothing is to be put back that the summary drops. */
  readonly unanchored?: boolean;
  /** Said in the block before the summary. */
  readonly introduction?: string;
  /** Where the block stands: as the first of what it replaces, unless said otherwise. */
  readonly place?: 'first' | 'last';
  /** The longest body in tokens, where the strategy sets it. */
  readonly maxTokens?: number;
  /** For `entries_summarized` of the block's metadata, where a policy makes it. */
  readonly entriesSummarized?: number;
}

export interface PlannedTurn {
  /** The person's message that opens the turn; among `replaced` only where the block stands for the whole turn. */
  readonly user: ContextMessage | null;
  readonly replaced: readonly ContextMessage[];
}

export type PlanOutcome =
  | {
      readonly kind: 'planned';
      /** Each is a block of its own, oldest first. None of them touches what another one touches. */
      readonly plans: readonly CompactionPlan[];
      /** No further plan is carried out once the context has this many tokens or fewer. */
      readonly enoughAt?: number;
    }
  /** There is nothing of the kind that this strategy replaces. */
  | { readonly kind: 'nothing-to-compact' }
  /** There is some, but all of it is younger than the age line or in the live turn. */
  | { readonly kind: 'protected' }
  /** There is some, but too little to be worth a block. */
  | { readonly kind: 'too-small' }
  /** There is some, but none of it lies in the range that a person chose. */
  | { readonly kind: 'outside-range' }
  /** There is some, and the trigger has not been reached. */
  | { readonly kind: 'not-triggered'; readonly reason: string };

export function replacedMessages(plan: CompactionPlan): ContextMessage[] {
  return plan.turns.flatMap((turn) => turn.replaced);
}

export function replacedTokens(plan: CompactionPlan): number {
  return replacedMessages(plan).reduce((total, message) => total + message.tokens, 0);
}

/** Stands for a plan within one run: no two plans begin with the same message. */
export function planKey(plan: CompactionPlan): string {
  return replacedMessages(plan)[0]?.key ?? '';
}

import { type ContextMessage, type ContextTokens, fixedTokens, tokensBeside, tokensOf } from '../conversation/context';
import type { LocalizableText } from '../wording/localizable-text';
import type { SectionName } from './sections';

/** Numbers, switches, and lists of names such as `excludeTools`. */
export type Parameters = Readonly<Record<string, number | boolean | readonly string[]>>;

/** The target of a run, and what it leaves untouched as long as it can reach the target. */
export interface Room {
  /** Tokens of the whole context, as `ContextTokens.total` counts them. */
  readonly targetTokens: number;
  /** Counted tokens of the newest steps that stay as they are, unless the target cannot be reached with them. */
  readonly keepRecentTokens: number;
  /** Tokens of the whole context above which the run reports a missed target. */
  readonly mostTokens: number;
  /** A smaller target for output that can be fetched again, so that it is cleared in few large steps. Absent: the same target. */
  readonly clearing?: Clearing;
}

export type Clearing = Pick<Room, 'targetTokens' | 'keepRecentTokens'>;

/** The room of a strategy that only replaces output which can be fetched again. */
export function roomForOutput(room: Room | null): Room | null {
  return room && { ...room, ...room.clearing };
}

/**
 * The sizes that a target depends on. A target below 1 is a share of the window, and never more than the same share of
 * what a run may remove, which matters for a manual run on a small context.
 */
export interface ContextSize {
  readonly contextWindow: number;
  readonly contextTokens: number;
  /** Tokens of the system prompt, the core, and what is in no message of the file: no run changes them. */
  readonly fixedTokens: number;
  /** The part of `fixedTokens` that is in no message of the file, apart from the system prompt. */
  readonly besideTokens: number;
  /** Whether a model writes the blocks. */
  readonly asksModel: boolean;
}

export function contextSize(tokens: ContextTokens, contextWindow: number, asksModel: boolean): ContextSize {
  const { total, byKind } = tokens;
  const fixed = { fixedTokens: fixedTokens(tokens), besideTokens: tokensBeside(byKind) };
  return { contextWindow, contextTokens: total, ...fixed, asksModel };
}

export interface PlanInput {
  readonly messages: readonly ContextMessage[];
  readonly tokens: ContextTokens;
  readonly contextWindow: number;
  /**
   * A person who asks for a compaction does not wait for a trigger. All other rules hold (docs/specification.md, "Rules
   * that always hold").
   */
  readonly trigger: 'manual' | 'automatic';
  /**
   * Index of the first message after the newest compaction of whole turns, by the agent or by Strata; 0 if there was
   * none.
   */
  readonly sinceCompaction: number;
  /** Counted tokens that the core grows by when the first prompt is replaced: the original goal joins it. */
  readonly goalTokens: number;
  /** Whether a model writes the blocks: with more room it tells more, whereas a quoting block leaves room unused. */
  readonly asksModel: boolean;
  /** The context should not fall far below this size; 0 means no floor. */
  readonly floorTokens: number;
  /** Null if the run has no target: then a strategy does all that it can. */
  readonly room: Room | null;
  /** See `SummaryRequest`. */
  readonly recallTool?: string;
  /** Keys of the first messages of plans that failed in this run. They are not planned again. */
  readonly rejected: ReadonlySet<string>;
}

/** Names the messages that a strategy would replace by one block, and says why. A plan changes nothing. */
export interface CompactionPlan {
  readonly strategy: string;
  readonly parameters: Parameters;
  readonly summaryType: string;
  /** Sections of the summary. Empty for running text, or if no summary is written. */
  readonly sections: readonly SectionName[];
  /** The replaced messages by turn, oldest first. */
  readonly turns: readonly PlannedTurn[];
  readonly reason: LocalizableText;
  /** A sentence for the person about the plan once it is carried out. */
  readonly note?: LocalizableText;
  /** The part of the strategy that made the plan, if the strategy makes several kinds of blocks. */
  readonly tier?: string;
  /** Artifacts that the summary drops are not put back. */
  readonly unanchored?: boolean;
  /** Text of the block before the summary. */
  readonly introduction?: string;
  /** Whether the block takes the place of its first message (the default) or its last. */
  readonly place?: 'first' | 'last';
  /** Maximum tokens of the body, if the strategy sets it. */
  readonly maxTokens?: number;
  /** Maximum counted tokens of the block; a larger one is rejected. Absent: it only has to be smaller than what it replaces. */
  readonly limitTokens?: number;
  /** Texts of single tool results, by the id of their entry. */
  readonly resultTexts?: Readonly<Record<string, string>>;
  /** Value of `entries_summarized` in the metadata of a policy's block. */
  readonly entriesSummarized?: number;
}

export interface PlannedTurn {
  /** The user message that opens the turn. It is also in `replaced` if the block replaces the whole turn. */
  readonly user: ContextMessage | null;
  readonly replaced: readonly ContextMessage[];
}

export type PlanOutcome =
  | {
      readonly kind: 'planned';
      /** One block each, oldest first. Plans do not overlap. */
      readonly plans: readonly CompactionPlan[];
      /** No further plan is carried out once the context has this many tokens or fewer. */
      readonly enoughAt?: number;
    }
  /** There is nothing of the kind that this strategy replaces. */
  | { readonly kind: 'nothing-to-compact' }
  /** Everything of this kind is younger than the age line or in the live turn. */
  | { readonly kind: 'protected' }
  /** There is too little of this kind to be worth a block. */
  | { readonly kind: 'too-small' }
  /** Nothing of this kind lies in the range that a person chose. */
  | { readonly kind: 'outside-range' }
  /** The trigger has not been reached. */
  | { readonly kind: 'not-triggered'; readonly reason: LocalizableText };

/** Counted tokens to remove to reach the target; without a target, all that can be removed. */
export function excessTokens({ tokens, room }: Pick<PlanInput, 'tokens' | 'room'>): number {
  return room === null ? Number.POSITIVE_INFINITY : (tokens.total - room.targetTokens) / tokens.calibration;
}

export function replacedMessages({ turns }: Pick<CompactionPlan, 'turns'>): ContextMessage[] {
  return turns.flatMap((turn) => turn.replaced);
}

export function replacedTokens(plan: Pick<CompactionPlan, 'turns'>): number {
  return tokensOf(replacedMessages(plan));
}

/** Identifies a plan within one run: no two plans begin with the same message. */
export function planKey(plan: Pick<CompactionPlan, 'turns'>): string {
  return replacedMessages(plan)[0]?.key ?? '';
}

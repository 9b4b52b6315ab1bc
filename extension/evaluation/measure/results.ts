import type { VerificationMode } from '../../engine/compaction/verify';
import type { ContextKind } from '../../engine/conversation/context';
import type { TaskKind, Verdict } from './tasks/task';

/** Version of the results format. Increase it when an older Strata could misread newer results. */
export const resultsVersion = 1;

/**
 * Who maintains the core of a contender. `none`: there is no core. `proposed`: every proposal found by structure in the
 * person's messages is accepted. `pinned`: a person pins each goal and constraint, and retires those that end.
 */
export const coreKeepers = ['none', 'proposed', 'pinned'] as const;
export type CoreKeeper = (typeof coreKeepers)[number];

/** A strategy or baseline with its core, compared with others. */
export interface ContenderId {
  /** Name of the strategy or baseline. */
  readonly strategy: string;
  readonly core: CoreKeeper;
}

/** Who answers the probes. A reader measures information survival; only a model measures behaviour. */
export interface RespondentId {
  readonly kind: 'reader' | 'model';
  readonly name: string;
}

/** The settings of a run. Results with different settings are never combined. */
export interface EvaluationSettings {
  /** The digest changes with the task's content, so an edited task counts as another task. */
  readonly tasks: readonly { readonly name: string; readonly digest: string }[];
  readonly seeds: readonly number[];
  readonly contenders: readonly ContenderId[];
  /** Compactions after which probes are asked, from 1. */
  readonly probedAfter: readonly number[];
  /**
   * What is asked before compactions. `first`: only before the first one; for each later one, the reading after the last
   * probed compaction takes the place of the reading before it. Absent: `each`.
   */
  readonly asksBefore?: 'each' | 'first' | undefined;
  /** Number of next actions that are asked about at each probed compaction. Absent: 2. */
  readonly actionsAsked?: number | undefined;
  /** Interval between compactions. Each comes at the end of the turn that reaches the count. */
  readonly every: { readonly kind: 'tokens' | 'turns'; readonly count: number };
  /** In tokens. Strategy parameters in tokens are scaled by window / 200,000. */
  readonly window: number;
  /**
   * Tokens that every context may have after a compaction, with or without a core. Absent: as the parameters of each
   * strategy say.
   */
  readonly target?: number | undefined;
  readonly respondent: RespondentId;
  /** What happens if a summary drops something. */
  readonly verification: VerificationMode;
  /** Who writes the block texts. */
  readonly summarizer: { readonly name: string; readonly model: string | null };
  /** Model that rates proposed actions; null for none. */
  readonly judge: string | null;
  readonly embedder: string;
}

export interface HeaderLine {
  readonly kind: 'header';
  readonly version: number;
  /** Versions. */
  readonly madeWith: { readonly strata: string; readonly node: string };
  /** ISO 8601. */
  readonly time: string;
  readonly settings: EvaluationSettings;
  /** Number of units in the whole run, over all shards. */
  readonly units: number;
  /** The index is 1-based. Null: the whole run. */
  readonly shard: { readonly index: number; readonly of: number } | null;
}

/** One task, played with one seed and one contender. */
export interface UnitId {
  readonly task: string;
  readonly seed: number;
  readonly contender: ContenderId;
}

export interface UnitLine extends UnitId {
  readonly kind: 'unit';
  readonly taskTitle: string;
  readonly taskKind: TaskKind;
  /** Probed boundaries, in order. */
  readonly boundaries: readonly BoundaryResult[];
}

/** Message texts, stored once for all contexts that contain them. */
interface TextsLine {
  readonly kind: 'texts';
  /** By the key in `ContextLine`. */
  readonly texts: Readonly<Record<string, string>>;
}

export type ResultLine = HeaderLine | TextsLine | UnitLine;

/** One compaction with the probes before and after it. */
export interface BoundaryResult {
  /** Number of the compaction in the conversation, from 1. */
  readonly compaction: number;
  /** Number of completed turns. */
  readonly turns: number;
  readonly before: Reading;
  readonly after: Reading;
  readonly cost: CompactionCost;
  /** The goal was named before the compaction and not after it; null if it was not named before. */
  readonly isDrift: boolean | null;
}

export interface CompactionCost {
  /** Counted tokens of the context before the compaction. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens of everything said so far: the size of a context that was never compacted. */
  readonly tokensSaid: number;
  readonly blocks: number;
  /** False if a compaction was due and nothing was compacted. Such a boundary tests nothing and is excluded from all numbers. */
  readonly isCompacted: boolean;
  readonly spent: { readonly input: number; readonly output: number };
  readonly durationMs: number;
  /** Model calls that failed. */
  readonly failures: readonly string[];
}

/** One context with the results of its probes. */
export interface Reading {
  readonly tokens: number;
  readonly context: readonly ContextLine[];
  readonly goal: GoalProbe;
  readonly constraints: ConstraintProbe;
  /** Absent if the respondent was not asked. */
  readonly settled?: SettledProbe | undefined;
  /** The next step in the respondent's own words. Absent if it was not asked. */
  readonly next?: string | undefined;
  readonly actions: readonly ActionProbe[];
  /** Names that later work needs, and how many of them the context contains. */
  readonly artifacts: { readonly held: number; readonly of: number };
}

/** A message of a context. `text` is a key of `TextsLine`. */
export type ContextLine = readonly [kind: ContextKind, text: string, tokens: number];

interface Probe {
  readonly question: string;
  /** Verbatim. */
  readonly answer: string;
  /** Why the answer could not be used; null if it could. Unusable answers are excluded from all numbers. */
  readonly unusable: string | null;
  readonly spent: { readonly input: number; readonly output: number };
}

export interface GoalProbe extends Probe {
  /** The current goal. */
  readonly truth: string;
  /** Cosine of the answer and the current goal, from 0 to 1. */
  readonly coherence: number;
  /** The same with the goal that the task began with. Absent in results of older versions. */
  readonly originalCoherence?: number | undefined;
  /**
   * The same with the goal that was answered before the compaction. Absent before a compaction, where no goal was
   * answered then, and in results of older versions.
   */
  readonly earlierCoherence?: number | undefined;
  /** The answer names the current goal. */
  readonly isTold: boolean;
  /** Text of a former goal that the answer names instead. */
  readonly regressedTo: string | null;
}

export interface TruthOfConstraint {
  readonly said: string;
  /** The answer states it. */
  readonly isRecalled: boolean;
  /** It occurs anywhere in the context. */
  readonly isHeld: boolean;
  /** Hostile content in the task tries to have it dropped. */
  readonly isAttacked: boolean;
}

export interface ConstraintProbe extends Probe {
  /** The constraints in force. */
  readonly truth: readonly TruthOfConstraint[];
  /** Withdrawn constraints that the answer states as if they were in force. */
  readonly stale: readonly string[];
}

export interface TruthOfSettled {
  readonly text: string;
  /** The answer names it. */
  readonly isRecalled: boolean;
}

/** What is finished, and what was tried and abandoned. */
export interface SettledProbe extends Pick<Probe, 'answer' | 'unusable'> {
  readonly truth: readonly TruthOfSettled[];
}

export interface OptionResult {
  readonly text: string;
  readonly verdict: Verdict;
  /** The constraint, goal or result that rules it out, in the task's words; null for the aligned option. */
  readonly because: string | null;
  /** Likelihood that this option is taken. A model chooses one; for a reader all options that are not ruled out share it. */
  readonly likelihood: number;
}

export interface ActionProbe extends Probe {
  /** In the order shown. */
  readonly options: readonly OptionResult[];
  /** From a judge, 1 to 5; null without a judge, or if its answer was unusable. */
  readonly rating: number | null;
}

export function unitKey({ task, seed, contender }: UnitId): string {
  return `${task} ${seed} ${contenderKey(contender)}`;
}

/** The form for reports and the command line: `checkpoint`, `checkpoint+proposed`. */
export function contenderKey({ strategy, core }: ContenderId): string {
  return core === 'none' ? strategy : `${strategy}+${core}`;
}

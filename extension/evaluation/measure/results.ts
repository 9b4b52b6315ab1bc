import type { VerificationMode } from '../../engine/compaction/verify';
import type { ContextKind } from '../../engine/conversation/context';
import type { TaskKind, Verdict } from './tasks/task';

/** Grows when a reader of today could misread results of tomorrow. */
export const resultsVersion = 1;

/**
 * Who fills the core of a contender. `none`: there is no core. `proposed`: what wording alone proposes from the person's
 * messages is confirmed as it comes. `pinned`: a person pins what they say, and takes back what no longer holds.
 */
export const coreKeepers = ['none', 'proposed', 'pinned'] as const;
export type CoreKeeper = (typeof coreKeepers)[number];

/** One way to keep a context small, as it is compared with others. */
export interface ContenderId {
  /** Of the strategy, or of the baseline. */
  readonly strategy: string;
  readonly core: CoreKeeper;
}

/** Who answers the probes. What a reader finds is called information survival, never behaviour. */
export interface RespondentId {
  readonly kind: 'reader' | 'model';
  readonly name: string;
}

/** What a run was made with. Results of other settings are never put together with these. */
export interface EvaluationSettings {
  /** Name and digest of each task: a task that was changed is another task. */
  readonly tasks: readonly { readonly name: string; readonly digest: string }[];
  readonly seeds: readonly number[];
  readonly contenders: readonly ContenderId[];
  /** Compactions after which is asked, from 1. */
  readonly probedAfter: readonly number[];
  /** A compaction comes at the end of the turn in which so much was said since the last one. */
  readonly every: { readonly kind: 'tokens' | 'turns'; readonly count: number };
  /** Tokens; parameters of strategies that count tokens are scaled by its share of 200,000. */
  readonly window: number;
  readonly respondent: RespondentId;
  /** What becomes of a summary that drops something. */
  readonly verification: VerificationMode;
  /** Who writes the summaries. */
  readonly summarizer: { readonly name: string; readonly model: string | null };
  /** Rates proposed actions; null where no model does. */
  readonly judge: string | null;
  readonly embedder: string;
}

export interface HeaderLine {
  readonly kind: 'header';
  readonly version: number;
  /** Of Strata, and of Node. */
  readonly madeWith: { readonly strata: string; readonly node: string };
  /** ISO 8601. */
  readonly time: string;
  readonly settings: EvaluationSettings;
  /** How many units the whole run has, all shards together. */
  readonly units: number;
  /** 1-based; null: the whole run. */
  readonly shard: { readonly index: number; readonly of: number } | null;
}

/** One task, played with one seed and one contender from its first turn to its last. */
export interface UnitId {
  readonly task: string;
  readonly seed: number;
  readonly contender: ContenderId;
}

export interface UnitLine extends UnitId {
  readonly kind: 'unit';
  readonly taskTitle: string;
  readonly taskKind: TaskKind;
  /** Those that were probed, in their order. */
  readonly boundaries: readonly BoundaryResult[];
}

/** The text of one or more messages, said once for all contexts that hold it. */
export interface TextsLine {
  readonly kind: 'texts';
  /** By the key that `ContextLine` names. */
  readonly texts: Readonly<Record<string, string>>;
}

export type ResultLine = HeaderLine | TextsLine | UnitLine;

/** One compaction, with what was asked before and after it. */
export interface BoundaryResult {
  /** Which compaction of the conversation it is, from 1. */
  readonly compaction: number;
  /** How many turns were over. */
  readonly turns: number;
  readonly before: Reading;
  readonly after: Reading;
  readonly cost: CompactionCost;
  /** The goal was told before, and after the compaction another one or none; null where it was not told before. */
  readonly isDrift: boolean | null;
}

export interface CompactionCost {
  /** Counted tokens of the context. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Of everything said so far: what the context would be had nothing ever been compacted. */
  readonly tokensSaid: number;
  readonly blocks: number;
  /** The context was made smaller, or was never to be. What was not compacted survived nothing: it is in no number. */
  readonly isCompacted: boolean;
  readonly spent: { readonly input: number; readonly output: number };
  readonly durationMs: number;
  /** Calls of a model that came to nothing. */
  readonly failures: readonly string[];
}

/** One context, and what was found in it. */
export interface Reading {
  readonly tokens: number;
  readonly context: readonly ContextLine[];
  readonly goal: GoalProbe;
  readonly constraints: ConstraintProbe;
  readonly actions: readonly ActionProbe[];
  /** Names that later work needs: how many of them stand in the context. */
  readonly artifacts: { readonly held: number; readonly of: number };
}

/** A message of a context: its kind, the key of its text, its tokens. */
export type ContextLine = readonly [kind: ContextKind, text: string, tokens: number];

interface Probe {
  readonly question: string;
  /** As it was given. */
  readonly answer: string;
  /** Why the answer could not be used; null where it could. Such a probe is in no number. */
  readonly unusable: string | null;
  readonly spent: { readonly input: number; readonly output: number };
}

export interface GoalProbe extends Probe {
  /** The goal that holds. */
  readonly truth: string;
  /** Cosine of answer and truth, from 0 to 1. */
  readonly coherence: number;
  /** The answer tells the goal that holds. */
  readonly isTold: boolean;
  /** A goal that no longer holds and that is told instead; its text. */
  readonly regressedTo: string | null;
}

export interface TruthOfConstraint {
  readonly said: string;
  /** The answer tells it. */
  readonly isRecalled: boolean;
  /** It stands in the context, wherever. */
  readonly isHeld: boolean;
  /** Something in the task tries to have it dropped. */
  readonly isAttacked: boolean;
}

export interface ConstraintProbe extends Probe {
  /** Those that hold. */
  readonly truth: readonly TruthOfConstraint[];
  /** Those that no longer hold and are told as if they did. */
  readonly stale: readonly string[];
}

export interface OptionResult {
  readonly text: string;
  readonly verdict: Verdict;
  /** What rules it out, in the words of the truth; null for the aligned one. */
  readonly because: string | null;
  /** How likely the answer is to be this option. A model chooses one; a reader any that it found nothing against. */
  readonly likelihood: number;
}

export interface ActionProbe extends Probe {
  /** In the order in which they were shown. */
  readonly options: readonly OptionResult[];
  /** Of a judge, 1 to 5; null where none was asked, or where its answer could not be used. */
  readonly rating: number | null;
}

export function unitKey({ task, seed, contender }: UnitId): string {
  return `${task} ${seed} ${contenderKey(contender)}`;
}

/** As people read it and give it on the command line: `checkpoint`, `checkpoint+proposed`. */
export function contenderKey({ strategy, core }: ContenderId): string {
  return core === 'none' ? strategy : `${strategy}+${core}`;
}

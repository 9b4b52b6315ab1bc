import * as v from 'valibot';
import { verificationModes } from '../../engine/compaction/verify';
import { contextKinds } from '../../engine/conversation/context';
import { LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { type RecallName, recallProbes } from './probes/recall-probes';
import { taskKinds, verdicts } from './tasks/task';

// Results files are shared between people, so their content is validated before use.

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const amount = v.pipe(v.number(), v.finite(), v.minValue(0));
const spent = v.object({ input: amount, output: amount });
/** For contenders and tasks, which occur in tables and file names. */
const name = v.pipe(v.string(), v.regex(/^[\w.-]{1,100}$/, 'this is not a name'));

/**
 * Who maintains the core of a contender. `none`: there is no core. `proposed`: every proposal found by structure in the
 * person's messages is accepted. `pinned`: a person pins each goal and constraint, and retires those that end.
 */
export const coreKeepers = ['none', 'proposed', 'pinned'] as const;

/** A strategy or baseline with its core, compared with others. */
export const contender = v.object({ strategy: name, core: v.picklist(coreKeepers) });

/** Who answers the probes. A reader measures information survival; only a model measures behaviour. */
export const respondent = v.object({ kind: v.picklist(['reader', 'model']), name: v.string() });

/** The settings of a run. Results with different settings are never combined. */
export const settings = v.object({
  /** The digest changes with the task's content, so an edited task counts as another task. */
  tasks: v.array(v.object({ name, digest: v.string() })),
  seeds: v.array(v.pipe(v.number(), v.integer())),
  contenders: v.array(contender),
  /** Compactions after which probes are asked, from 1. */
  probedAfter: v.pipe(v.array(count), v.nonEmpty()),
  /**
   * The readings before compactions. `first`: only before the first one; for each later one, the reading after the last
   * probed compaction takes the place of the reading before it. Absent: `each`.
   */
  asksBefore: v.optional(v.picklist(['each', 'first'])),
  /** Number of next actions that are asked about at each probed compaction. Absent: 2. */
  actionsAsked: v.optional(count),
  /** Interval between compactions. Each takes place at the end of the turn in which the count is reached. */
  every: v.object({ kind: v.picklist(['tokens', 'turns']), count }),
  /** In tokens. Strategy parameters in tokens are scaled by window / 200,000. */
  window: count,
  /**
   * Tokens that every context may have after a compaction, with or without a core. Absent: as the parameters of each
   * strategy say.
   */
  target: v.optional(count),
  respondent,
  /** The guard's reaction if a summary drops something. */
  verification: v.picklist(verificationModes),
  /** Who writes the block texts. */
  summarizer: v.object({ name: v.string(), model: v.nullable(v.string()) }),
  /** Model that rates proposed actions; null for none. */
  judge: v.nullable(v.string()),
  embedder: v.string(),
});

export const header = v.object({
  kind: v.literal('header'),
  version: count,
  /** Versions. */
  madeWith: v.object({ strata: v.string(), node: v.string() }),
  /** ISO 8601. */
  time: v.string(),
  settings,
  /** Number of units in the whole run, over all shards. */
  units: count,
  /** The index is 1-based. Null: the whole run. */
  shard: v.nullable(v.object({ index: count, of: count })),
});

const probe = {
  question: v.string(),
  /** Verbatim. */
  answer: v.string(),
  /** Why the answer could not be used; null if it could. Unusable answers are excluded from all numbers. */
  unusable: v.nullable(v.string()),
  spent,
};

export const goalProbe = v.object({
  ...probe,
  /** The current goal. */
  truth: v.string(),
  /** Cosine of the answer and the current goal. */
  coherence: share,
  /** The same with the goal that the task began with. Absent in results of older versions. */
  originalCoherence: v.optional(share),
  /**
   * The same with the goal that was answered before the compaction. Absent before a compaction, where no goal was
   * answered then, and in results of older versions.
   */
  earlierCoherence: v.optional(share),
  /** The answer names the current goal. */
  isTold: v.boolean(),
  /** Text of a former goal that the answer names instead. */
  regressedTo: v.nullable(v.string()),
});

export const truthOfConstraint = v.object({
  said: v.string(),
  /** The answer states it. */
  isRecalled: v.boolean(),
  /** It occurs anywhere in the context. */
  isHeld: v.boolean(),
  /** Hostile content in the task tries to have it dropped. */
  isAttacked: v.boolean(),
});

export const constraintProbe = v.object({
  ...probe,
  /** The constraints in force. */
  truth: v.array(truthOfConstraint),
  /** Withdrawn constraints that the answer states as if they were in force. */
  stale: v.array(v.string()),
});

export const recalledTruth = v.object({
  text: v.string(),
  /** The answer names it. */
  isRecalled: v.boolean(),
});

export const recallResult = v.object({
  answer: v.string(),
  unusable: v.nullable(v.string()),
  truth: v.array(recalledTruth),
});

/** Each is absent if the respondent was not asked. */
const recallResults = Object.fromEntries(
  recallProbes.map(({ name }) => [name, v.optional(recallResult)]),
) as RecallEntries;

type RecallEntries = Readonly<Record<RecallName, v.OptionalSchema<typeof recallResult, undefined>>>;

export const option = v.object({
  text: v.string(),
  verdict: v.picklist(verdicts),
  /** The constraint, goal or result that rules it out, in the task's words; null for the aligned option. */
  because: v.nullable(v.string()),
  /** Likelihood that this option is taken. A model chooses one; for a reader all options that are not ruled out share it. */
  likelihood: share,
});

export const actionProbe = v.object({
  ...probe,
  /** In the order shown. */
  options: v.array(option),
  /** From a judge; null without a judge, or if its answer was unusable. */
  rating: v.nullable(v.pipe(v.number(), v.minValue(1), v.maxValue(5))),
});

/** A message of a context. `text` is a key of the texts line. */
export const contextLine = v.tuple([v.picklist(contextKinds), v.string(), amount]);

/** One context with the results of its probes. */
export const reading = v.object({
  tokens: amount,
  context: v.array(contextLine),
  goal: goalProbe,
  constraints: constraintProbe,
  ...recallResults,
  /** The next step in the respondent's own words. Absent if it was not asked. */
  next: v.optional(v.string()),
  actions: v.array(actionProbe),
  /** Names that later work needs, and how many of them the context contains. */
  artifacts: v.pipe(
    v.object({ held: count, of: count }),
    v.check(({ held, of }) => held <= of, 'more is held than there is'),
  ),
});

export const cost = v.object({
  /** Counted tokens of the context before the compaction. */
  tokensBefore: amount,
  tokensAfter: amount,
  /** Tokens of everything said so far: the size of a context that was never compacted. */
  tokensSaid: v.pipe(amount, v.minValue(1)),
  blocks: count,
  /** False if a compaction was due and nothing was compacted. Such a boundary tests nothing and is excluded from all numbers. */
  isCompacted: v.boolean(),
  spent,
  durationMs: amount,
  /** Model calls that failed. */
  failures: v.array(v.string()),
});

/** One compaction with the probes before and after it. */
export const boundary = v.object({
  /** Number of the compaction in the conversation, from 1. */
  compaction: count,
  /** Number of completed turns. */
  turns: count,
  before: reading,
  after: reading,
  cost,
  /** The goal was named before the compaction and not after it; null if it was not named before. */
  isDrift: v.nullable(v.boolean()),
});

/** One task, played with one seed and one contender. */
export const unitId = v.object({ task: name, seed: v.number(), contender });

export const unit = v.object({
  kind: v.literal('unit'),
  ...unitId.entries,
  taskTitle: v.string(),
  taskKind: v.picklist(taskKinds),
  /** Probed boundaries, in order. */
  boundaries: v.array(boundary),
});

/** Message texts, stored once for all contexts that contain them. The keys are those of the context lines. */
export const texts = v.object({ kind: v.literal('texts'), texts: v.record(v.string(), v.string()) });

export const resultLine = v.variant('kind', [header, texts, unit]);

type ReadLine<Line> =
  | { readonly kind: 'line'; readonly line: Line }
  | { readonly kind: 'damaged'; readonly reason: LocalizableText };

/** One line of a results file, without its line break. Never throws. */
export function readLine<Schema extends v.GenericSchema>(
  schema: Schema,
  text: string,
): ReadLine<v.InferOutput<Schema>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The caller reports this with the line number.
    return { kind: 'damaged', reason: localizable('it is not JSON') };
  }
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  return parsed.success
    ? { kind: 'line', line: parsed.output }
    : { kind: 'damaged', reason: issueText(parsed.issues[0]) };
}

/** Describes the fault and its place. */
export function issueText(issue: v.BaseIssue<unknown>): LocalizableText {
  const path = v.getDotPath(issue);
  return path === null ? new LocalizableText(issue.message) : localizable('at {0}: {1}', path, issue.message);
}

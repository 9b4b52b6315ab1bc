import { type CompactionPlan, type Parameters, type PlanOutcome, planKey } from '../block/plan';
import { sections } from '../block/sections';
import { nothingOld, type Strategy, smallestWorthwhile } from '../block/strategy';
import { blockOf, type ContextMessage, tokensOf } from '../conversation/context';
import { isAgentWork } from '../conversation/steps';
import { endOfOld, oldSegments, type Segment } from '../conversation/turns';
import { completeTurnCount, type SentenceOf } from '../wording/counts';
import { joined, localizable } from '../wording/localizable-text';
import { haloTurns } from './halo';

/** Defaults: docs/specification/strategies.md, "Goal batches". */
const defaults = {
  /** A turn must end this many messages before the newest one. */
  minTurnsOldThreshold: 20,
  /** Minimum number of eligible complete turns. */
  minTurnsToCompact: 3,
  /** Maximum number of turns per batch. Bounds the size of a summary request. */
  maxTurnsPerBatch: 6,
};

export const goalBatchStrategy: Strategy<typeof defaults> = {
  name: 'goal-batch',
  title: localizable('Goal batch'),
  description: localizable(
    'Replaces a run of old complete turns, the person’s messages and the blocks between them, by one [GOAL BATCH] block that keeps how the goal developed.',
  ),
  defaults,
  keepingNothing: { minTurnsOldThreshold: 0, minTurnsToCompact: 1 },
  startsByCount: true,
  untouchedFrom: ({ messages }, { minTurnsOldThreshold }) => endOfOld(messages, minTurnsOldThreshold),
  plan(input, parameters) {
    const { messages } = input;
    const runs = runsOfCompleteTurns(messages, parameters.minTurnsOldThreshold);
    if (runs.length === 0) return noCompleteTurn(messages, parameters);
    const batches = runs.flatMap((run) => batchesOf(run, parameters));
    if (batches.length === 0) return waiting(runs, parameters);
    const reasonOf: SentenceOf = (counted) =>
      localizable('{0}, more than {1} messages old.', counted, parameters.minTurnsOldThreshold);
    const plans = batches
      .map((batch) => goalBatchPlan(messages, batch, parameters, reasonOf))
      .filter((plan) => !input.rejected.has(planKey(plan)));
    return plans.length === 0 ? { kind: 'too-small' } : { kind: 'planned', plans };
  },
};

/** A complete turn with the short turns right before it, oldest first. */
type CompleteTurn = readonly Segment[];

/**
 * Runs of adjacent old complete turns. A batch never spans a turn that stays, because that would change the order of
 * the story. A turn with nothing to summarise ("ok", an interrupted one) joins the complete turn after it, so that it does
 * not end the run.
 */
function runsOfCompleteTurns(messages: readonly ContextMessage[], messagesOld: number): CompleteTurn[][] {
  return stretchesOfOld(messages, messagesOld)
    .map((stretch) => completeTurns(messages, stretch))
    .filter((run) => run.length > 0);
}

/** Adjacent old turns of which each is complete or short. */
function stretchesOfOld(messages: readonly ContextMessage[], messagesOld: number): Segment[][] {
  const stretches: Segment[][] = [];
  for (const segment of oldSegments(messages, messagesOld)) {
    if (!isCompleteTurn(messages, segment) && !isShortTurn(messages, segment)) continue;
    const stretch = stretches.at(-1);
    if (stretch?.at(-1)?.end === segment.start) stretch.push(segment);
    else stretches.push([segment]);
  }
  return stretches;
}

function completeTurns(messages: readonly ContextMessage[], stretch: readonly Segment[]): CompleteTurn[] {
  const ends = stretch.flatMap((segment, at) => (isCompleteTurn(messages, segment) ? [at + 1] : []));
  return ends.map((end, at) => stretch.slice(ends[at - 1] ?? 0, end));
}

/** Batches of the oldest turns first. Too small a remainder waits for more turns. */
function batchesOf(
  run: readonly CompleteTurn[],
  { minTurnsToCompact, maxTurnsPerBatch }: typeof defaults,
): Segment[][] {
  const batches: CompleteTurn[][] = [];
  for (let start = 0; start < run.length; start += maxTurnsPerBatch) {
    batches.push(run.slice(start, start + maxTurnsPerBatch));
  }
  return batches.filter((batch) => batch.length >= minTurnsToCompact).map((batch) => batch.flat());
}

/** A turn in which the agent did too little to summarise. */
function isShortTurn(messages: readonly ContextMessage[], { start, end, openedByUser }: Segment): boolean {
  return openedByUser && tokensOf(messages.slice(start, end).filter(isAgentWork)) < smallestWorthwhile;
}

/**
 * A user message with at least one block before the next user message. A turn without a block may still be in progress.
 */
function isCompleteTurn(messages: readonly ContextMessage[], segment: Segment): boolean {
  return segment.openedByUser && messages.slice(segment.start, segment.end).some((message) => blockOf(message));
}

/** Old turns without a block are named: with short turns alone, this strategy would otherwise seem to see nothing. */
function noCompleteTurn(messages: readonly ContextMessage[], { minTurnsOldThreshold }: typeof defaults): PlanOutcome {
  const old = oldSegments(messages, minTurnsOldThreshold).filter(({ openedByUser }) => openedByUser).length;
  if (old === 0) return nothingOld(messages, (segment) => isCompleteTurn(messages, segment));
  const turns =
    old === 1
      ? localizable('1 old turn has no block, and a batch takes only turns that have one.')
      : localizable('{0} old turns have no block, and a batch takes only turns that have one.', old);
  return { kind: 'not-triggered', reason: joined(turns, localizable('The ladder takes short turns, too.')) };
}

function waiting(runs: readonly CompleteTurn[][], { minTurnsToCompact }: typeof defaults): PlanOutcome {
  const longest = Math.max(...runs.map((run) => run.length));
  const reason =
    longest === 1
      ? localizable('Only 1 old complete turn in a row so far; a batch takes at least {0}.', minTurnsToCompact)
      : localizable(
          'Only {0} old complete turns in a row so far; a batch takes at least {1}.',
          longest,
          minTurnsToCompact,
        );
  return { kind: 'not-triggered', reason };
}

/** One block for these segments: turns, or blocks of earlier ones. `reasonOf` gives the reason for so many turns. */
export function goalBatchPlan(
  messages: readonly ContextMessage[],
  batch: readonly Segment[],
  parameters: Parameters,
  reasonOf: SentenceOf,
): CompactionPlan {
  return {
    strategy: goalBatchStrategy.name,
    parameters,
    summaryType: 'goal_batch',
    sections: sections.goalBatch,
    turns: haloTurns(messages, batch),
    reason: reasonOf(completeTurnCount(batch.length)),
  };
}

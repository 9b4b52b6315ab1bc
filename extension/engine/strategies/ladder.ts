import {
  type Clearing,
  type CompactionPlan,
  type ContextSize,
  excessTokens,
  type Parameters,
  type PlanInput,
  type PlanOutcome,
  type Room,
  replacedTokens,
} from '../block/plan';
import { type Strategy, smallestWorthwhile } from '../block/strategy';
import { shareOfBody } from '../compaction/request';
import { blockOf, type ContextMessage, tokensOf } from '../conversation/context';
import { isAgentWork, startOfNewest, untouchableOf } from '../conversation/steps';
import { openerOf, type Segment, segmentsOf } from '../conversation/turns';
import type { SentenceOf } from '../wording/counts';
import { localizable } from '../wording/localizable-text';
import { clearedStrategy } from './cleared';
import { goalBatchPlan, goalBatchStrategy } from './goal-batch';
import { lastRungs, worthOf } from './last-rungs';
import { supersededStrategy } from './superseded';
import { chosenTarget, clearedTokens, mostOfTarget, sizeInTokens, targetByWriter, targetTokens } from './target';
import { conversationPlan, thresholdStrategy } from './threshold';
import { groupsOf, isWorthwhile, toolCallPlan, toolCallsStrategy } from './tool-calls';

/** docs/specification/strategies.md, "The ladder". Sizes are shares of the window up to 1, and tokens above. */
export const ladderDefaults = {
  /** The size of the context at which a run starts automatically. */
  trigger: 0.85,
  /** The size at which a run is done. */
  target: targetByWriter,
  /** Counted tokens of the newest steps that stay unchanged, as far as the target can be reached with them. */
  keepRecentTokens: 20000,
};

/** The target size of a run, and the size at which it starts automatically. */
export const ladderAim = {
  defaults: ladderDefaults,
  startsAt: (contextWindow: number, parameters: Parameters) =>
    sizeInTokens({ ...ladderDefaults, ...parameters }.trigger, contextWindow),
  room(size: ContextSize, parameters: Parameters): Room {
    const { target, keepRecentTokens } = { ...ladderDefaults, ...parameters };
    const tokens = targetTokens(size, chosenTarget(size, { target, keepRecentTokens }));
    return {
      targetTokens: tokens,
      keepRecentTokens: Math.min(keepRecentTokens, tokens * mostOfTarget),
      mostTokens: tokens,
    };
  },
  clearing(size: ContextSize, parameters: Parameters): Clearing | null {
    const { target, keepRecentTokens } = { ...ladderDefaults, ...parameters };
    const tokens = clearedTokens(size, target);
    return tokens === null
      ? null
      : { targetTokens: tokens, keepRecentTokens: Math.min(keepRecentTokens, tokens * mostOfTarget) };
  },
};

/**
 * The rungs, smallest loss first. Each works on the steps before the newest ones, including those of the live turn, and
 * only as far as the target requires.
 */
export const rungs: readonly Strategy[] = [
  { ...rung(supersededStrategy, supersededStrategy.plan), clears: true },
  { ...rung(clearedStrategy, clearedStrategy.plan), clears: true },
  { ...rung(toolCallsStrategy, planToolCalls), replacedByLater: true },
  { ...rung(thresholdStrategy, planReplies), replacedByLater: true },
  { ...rung(goalBatchStrategy, planGoalBatches), replacedByLater: true },
  ...lastRungs,
];

/** A strategy as a rung: with its own name, parameters and writing, but without its own trigger and age line. */
function rung<P extends Parameters>(
  { name, title, description, defaults, write, sharesCalls }: Strategy<P>,
  plan: (input: PlanInput, parameters: P) => PlanOutcome,
): Strategy {
  return {
    ...{ name, title, description, defaults },
    plan: (input, parameters) => plan(input, { ...defaults, ...parameters }),
    ...(write ? { write } : {}),
    ...(sharesCalls ? { sharesCalls } : {}),
  };
}

const older: SentenceOf = (counted) => localizable('{0} before the newest steps.', counted);
const folded: SentenceOf = (counted) => localizable('{0}, folded into one.', counted);

/** The part of each segment before the newest steps, without the messages that a run does not touch. */
function oldParts({ messages, room }: PlanInput): { segment: Segment; start: number; end: number }[] {
  const ageLine = startOfNewest(messages, room?.keepRecentTokens ?? 0);
  const { newestStep } = untouchableOf(messages);
  const until = Math.min(ageLine, newestStep);
  return segmentsOf(messages)
    .filter(({ start }) => start < until)
    .map((segment) => ({ segment, start: segment.start, end: Math.min(segment.end, until) }));
}

function planToolCalls(input: PlanInput, parameters: Parameters): PlanOutcome {
  const parts = oldParts(input).map((part) => ({ ...part, groups: groupsOf(input.messages, part) }));
  const plans = parts
    .filter(({ groups }) => isWorthwhile(groups, input))
    .map(({ segment, groups }) => toolCallPlan(openerOf(input.messages, segment), groups, parameters, older));
  return planned(plans);
}

/** Steps with an open call stay: their results may still come. */
function planReplies(input: PlanInput, parameters: Parameters): PlanOutcome {
  const { messages, rejected } = input;
  const untouchable = untouchableOf(messages);
  const plans = oldParts(input).flatMap(({ segment, start, end }) => {
    const replies = messages
      .slice(start, end)
      .filter((message, at) => isAgentWork(message) && !untouchable.has(start + at));
    const isTried = rejected.has(replies[0]?.key ?? '');
    if (isTried || tokensOf(replies) < smallestWorthwhile) return [];
    return [conversationPlan(openerOf(messages, segment), replies, parameters, older)];
  });
  return planned(plans);
}

/** Minimum counted tokens of a batch, regardless of its turns: a block for less would not be smaller. */
const leastBatch = 1000;

/** The share of the possible folds that is made at once, so that there are few rounds over a long context. */
const shareOfFolds = 1 / 8;

/** Batches finished turns, with or without blocks in them; when no turns are left, folds the oldest batches into one of a higher level. */
function planGoalBatches(input: PlanInput, parameters: Parameters): PlanOutcome {
  const limits = { ...goalBatchStrategy.defaults, ...parameters };
  const batches = batchesOf(input, ({ openedByUser }) => openedByUser, limits, leastBatch);
  if (batches.length > 0)
    return planned(
      inFull(
        batches.map((batch) => goalBatchPlan(input.messages, batch, parameters, older)),
        input,
      ),
    );
  const folds = batchesOf(input, ({ start }) => input.messages[start]?.kind === 'goal_batch', limits, 0).filter(
    (fold) => fold.length > 1,
  );
  const plans = folds.slice(0, Math.max(1, Math.floor(folds.length * shareOfFolds))).map((fold) => ({
    ...goalBatchPlan(input.messages, fold, parameters, folded),
    tier: `level-${1 + Math.max(...fold.map(({ start }) => levelOf(input.messages[start])))}`,
  }));
  return planned(inFull(plans, input));
}

/**
 * Batches replace blocks, which are already short, so they get their natural length. The batch that reaches the target may be as long as
 * the target allows.
 */
function inFull(plans: readonly CompactionPlan[], input: PlanInput): CompactionPlan[] {
  let excess = excessTokens(input) + input.goalTokens;
  return plans.map((plan) => {
    const room = Math.floor((replacedTokens(plan) - excess) * shareOfBody);
    const maxTokens = Math.floor(Math.max(Math.min(mostOfBatch, worthOf(plan.turns)), Math.min(mostOfFilled, room)));
    excess -= replacedTokens(plan) - maxTokens / shareOfBody;
    return { ...plan, maxTokens };
  });
}

/** Maximum tokens of the body of a batch, and of one that fills the room up to the target. */
const mostOfBatch = 3200;
const mostOfFilled = 13_000;

function levelOf(message: ContextMessage | undefined): number {
  return Number(/^level-(\d+)$/.exec((message && blockOf(message))?.tier ?? '')?.[1] ?? 1);
}

/** Batches of adjacent old segments, oldest first. */
function batchesOf(
  input: PlanInput,
  isTaken: (segment: Segment) => boolean,
  { maxTurnsPerBatch, minTurnsToCompact }: { maxTurnsPerBatch: number; minTurnsToCompact: number },
  leastTokens: number,
): Segment[][] {
  const { messages, rejected } = input;
  const prompt = untouchableOf(messages).prompt;
  const old = oldParts(input).filter(({ segment, end }) => segment.end === end && segment.end <= prompt);
  const batches: Segment[][] = [];
  let batch: Segment[] = [];
  let tokens = 0;
  const close = () => {
    if (batch.length >= minTurnsToCompact && !rejected.has(messages[batch[0]?.start ?? 0]?.key ?? ''))
      batches.push(batch);
    batch = [];
    tokens = 0;
  };
  for (const { segment } of old) {
    if (!isTaken(segment) || (batch.length > 0 && batch.at(-1)?.end !== segment.start)) close();
    if (!isTaken(segment)) continue;
    batch.push(segment);
    tokens += tokensOf(messages.slice(segment.start, segment.end));
    if (batch.length >= maxTurnsPerBatch && tokens >= leastTokens) close();
  }
  close();
  return batches;
}

function planned(plans: readonly CompactionPlan[]): PlanOutcome {
  return plans.length === 0 ? { kind: 'nothing-to-compact' } : { kind: 'planned', plans };
}

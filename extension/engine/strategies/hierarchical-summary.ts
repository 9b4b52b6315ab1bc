import {
  type CompactionPlan,
  type PlanInput,
  type PlannedTurn,
  type PlanOutcome,
  planKey,
  replacedMessages,
  replacedTokens,
} from '../block/plan';
import { sections } from '../block/sections';
import { isRaw, type Strategy, smallestWorthwhile } from '../block/strategy';
import { blockOf } from '../conversation/context';
import { turnCount } from '../wording/counts';
import { localizable } from '../wording/localizable-text';
import { beforeTail, haloRules, haloTurns } from './halo';
import { belowReserve, haloDefaults, isTooLarge, keptTokens, largeSummary } from './halo-parameters';
import { planOldSteps } from './old-steps';

const defaults = {
  ...haloDefaults,
  /** Number of turns per summary of level 1. */
  turnsPerSegment: 4,
  /** Number of summaries of one level per summary of the next level. */
  summariesPerLevel: 4,
};

/** Summaries of segments, and summaries of those summaries (docs/specification/policies.md, "Strategies compared"). */
export const hierarchicalSummaryStrategy: Strategy<typeof defaults> = {
  name: 'hierarchical-summary',
  title: localizable('Hierarchical summary'),
  description: localizable(
    'Cuts everything but the newest turns into segments with one summary each. When there are enough of them, a summary of a higher level replaces them.',
  ),
  defaults,
  ...haloRules,
  plan(input, parameters) {
    const waiting = belowReserve(input, parameters);
    if (waiting) return waiting;
    const before = planSegments(input, parameters);
    if (before.kind === 'planned') return before;
    const { name: strategy } = hierarchicalSummaryStrategy;
    return planOldSteps(input, { strategy, parameters, sections: sections.goalBatch }) ?? before;
  },
};

function planSegments(input: PlanInput, parameters: typeof defaults): PlanOutcome {
  const { messages } = input;
  const old = haloTurns(messages, beforeTail(input, keptTokens(input, parameters)));
  const groups = groupsOf(old, parameters, isTooLarge(input) ? leastSegment : smallestWorthwhile);
  if (groups.length === 0) return { kind: messages.some(isRaw) ? 'protected' : 'nothing-to-compact' };
  const plans = groups.map((group) => planOf(group, parameters)).filter((plan) => isWorthwhile(plan, input));
  return plans.length === 0 ? { kind: 'too-small' } : { kind: 'planned', plans };
}

/** In counted tokens. Where the context is too large, short turns are gathered until their summary is much smaller. */
const leastSegment = 1000;

interface Group {
  /** The level of the summary to be made: 1 over raw turns. */
  readonly level: number;
  readonly turns: readonly PlannedTurn[];
}

/** Groups of adjacent turns of one level. Groups of summaries must be full; a group of raw turns may be smaller. */
function groupsOf(
  turns: readonly PlannedTurn[],
  { turnsPerSegment, summariesPerLevel }: typeof defaults,
  leastTokens: number,
): Group[] {
  const groups: { level: number; turns: PlannedTurn[] }[] = [];
  for (const turn of turns) {
    const level = levelOf(turn) + 1;
    const size = level === 1 ? turnsPerSegment : summariesPerLevel;
    const last = groups.at(-1);
    if (last?.level === level && (last.turns.length < size || replacedTokens(last) < leastTokens))
      last.turns.push(turn);
    else groups.push({ level, turns: [turn] });
  }
  return groups.filter(({ level, turns: taken }) => level === 1 || taken.length >= summariesPerLevel);
}

/** 0 if this strategy has not summarised the turn yet. */
function levelOf({ replaced }: PlannedTurn): number {
  const [only] = replaced;
  const block = only && blockOf(only);
  if (replaced.length !== 1 || block?.strategy !== hierarchicalSummaryStrategy.name) return 0;
  return Number(/^level-(\d+)$/.exec(block.tier ?? '')?.[1] ?? 0);
}

function planOf({ level, turns }: Group, parameters: typeof defaults): CompactionPlan {
  const what =
    level === 1 ? turnCount(turns.length) : localizable('{0} summaries of level {1}', turns.length, level - 1);
  return {
    strategy: hierarchicalSummaryStrategy.name,
    parameters,
    summaryType: 'hierarchical_summary',
    sections: sections.goalBatch,
    turns,
    tier: `level-${level}`,
    reason: localizable('{0} before the newest turns.', what),
  };
}

function isWorthwhile(plan: CompactionPlan, input: PlanInput): boolean {
  const tokens = replacedTokens(plan);
  if (input.rejected.has(planKey(plan)) || tokens < smallestWorthwhile) return false;
  return plan.tier !== 'level-1' || replacedMessages(plan).some(isRaw) || (isTooLarge(input) && tokens > largeSummary);
}

import {
  decideSchedule,
  fits,
  mustLeave,
  promptCost,
  rereadTokens,
} from '../../../../extension/engine/run/automation/schedule';
import { bestInHindsight } from './best-in-hindsight';
import type { Trace } from './trace';

/** Shares of the window that a compaction may leave. */
export const targets = [0.125, 0.25, 0.5] as const;

const thresholds = [0.6, 0.7, 0.8, 0.85, 0.9, 0.95] as const;

/** Decides between two turns whether to compact, and to how many tokens. Null: do not compact. */
export type Schedule = (state: ScheduleState) => number | null;

interface ScheduleState {
  readonly at: number;
  /** Tokens of the request if nothing is compacted. */
  readonly tokens: number;
  readonly isWarm: boolean;
  /** Tokens of the previous prompt. */
  readonly before: number;
  readonly trace: Trace;
}

export interface ScheduleCost {
  readonly cost: number;
  readonly compactions: number;
  /** Number of compactions within a turn, because the next request would not fit. */
  readonly forced: number;
}

/** The default limits of automatic compaction: docs/specification.md, "Automatic compaction". */
const floor = 20_000;
const pause = 10_000;

/** Under every schedule, a request that does not fit is compacted. */
export function costUnder(trace: Trace, schedule: Schedule): ScheduleCost {
  const { base, window, added, isWarm, prices } = trace;
  let [before, left, cost, compactions, forced] = [base, 0, 0, 0, 0];
  for (const [at, more] of added.entries()) {
    if (at === 0) continue;
    const grown = before + more;
    const warm = isWarm[at] ?? false;
    const mayStart = trace.opensTurn[at] === true && before > Math.max(floor, left + pause);
    const wanted = mayStart ? schedule({ at, tokens: grown, isWarm: warm, before, trace }) : null;
    const target = wanted ?? (grown > window * fits ? window * mustLeave : null);
    const leaves = target === null ? grown : Math.max(base, target) + more + rereadTokens;
    const isCompacted = leaves < grown;
    const tokens = isCompacted ? leaves : grown;
    cost += promptCost(tokens, isCompacted || !warm ? base : before, prices);
    if (isCompacted) {
      compactions += 1;
      left = tokens;
      if (wanted === null) forced += 1;
    }
    before = tokens;
  }
  return { cost, compactions, forced };
}

const never: Schedule = () => null;

/** Compacts at one share of the window, to another one. */
export function atThreshold(share: number, target: number): Schedule {
  return ({ tokens, trace }) => (tokens >= trace.window * share ? trace.window * target : null);
}

/** The schedule of Strata: the moment and the size with the lowest cost over the expected remaining requests. */
export function byCost(shares: readonly number[], sure?: number): Schedule {
  return ({ at, before, trace }) => {
    const { window, added, base, mayBeWarm, prices } = trace;
    const outlook = {
      contextTokens: before,
      fixedTokens: base,
      growth: added.slice(1, at).reduce((sum, more) => sum + more, 0) / Math.max(1, at - 1),
      contextWindow: window,
      requests: at,
      isWarm: mayBeWarm[at] ?? false,
      prices,
      writing: 0,
    };
    const decision = decideSchedule(
      outlook,
      shares.map((share) => window * share),
      sure,
    );
    return decision.kind === 'pays' ? decision.targetTokens : null;
  };
}

/** Tokens by which a compaction reduces this request; at most 0 if it does not. */
function takenFrom({ before, trace: { base, window } }: ScheduleState, target: number): number {
  return before - Math.max(base, window * target) - rereadTokens;
}

/** The additional cost of this request with a compaction; null if the compaction would remove nothing. */
function extraOf(state: ScheduleState, target: number): number | null {
  const { tokens, isWarm, before, trace } = state;
  const taken = takenFrom(state, target);
  if (taken <= 0) return null;
  return (
    promptCost(tokens - taken, trace.base, trace.prices) -
    promptCost(tokens, isWarm ? before : trace.base, trace.prices)
  );
}

/**
 * Follows another schedule, but only if this request costs no more than without a compaction, which is so once the
 * cache is cold.
 */
export function ifNoDearer(schedule: Schedule): Schedule {
  return (state) => {
    const wanted = schedule(state);
    if (wanted === null) return null;
    const extra = extraOf(state, wanted / state.trace.window);
    return extra !== null && extra <= 0 ? wanted : null;
  };
}

/** Compacts if it pays, assuming that the session continues for as many requests as it has had. */
export function ifAsLongAgain(target: number): Schedule {
  return (state) => {
    const { at, trace } = state;
    const extra = extraOf(state, target);
    if (extra === null || extra > takenFrom(state, target) * trace.prices.read * at) return null;
    return trace.window * target;
  };
}

/** Names of the schedules that others are compared with. */
export const bestSchedule = 'best in hindsight';
export const noSchedule = 'never, until it must';
/** The ladder's schedule if prices are unknown. */
export const usualSchedule = 'at 0.85, to 0.5';

const sizes = [[0.5], [0.25, 0.5], [0.125, 0.25, 0.5]];

/** Shares of the sessions that continue as long as expected. Strata uses the last one. */
const sures = [0.5, 0.75, 0.9];

const schedules: readonly (readonly [string, Schedule])[] = [
  [noSchedule, never],
  ...[0.25, 0.5].flatMap((to) => thresholds.map((at) => [`at ${at}, to ${to}`, atThreshold(at, to)] as const)),
  ...[0.25, 0.5].map((to) => [`at 0.85, to ${to}, if no dearer`, ifNoDearer(atThreshold(0.85, to))] as const),
  ...targets.map((to) => [`if no dearer, to ${to}`, ifNoDearer(atThreshold(0, to))] as const),
  ...targets.map((to) => [`if as long again, to ${to}`, ifAsLongAgain(to)] as const),
  ...sures.flatMap((sure) =>
    sizes.map((to) => [`by cost, sure to ${sure}, to ${to.join(' or ')}`, byCost(to, sure)] as const),
  ),
];

export interface CostOfSchedule extends ScheduleCost {
  readonly schedule: string;
}

/** The cost of a session under each schedule. */
export function scheduleCosts(trace: Trace): CostOfSchedule[] {
  return [
    { schedule: bestSchedule, cost: bestInHindsight(trace, targets), compactions: 0, forced: 0 },
    ...schedules.map(([schedule, each]) => ({ schedule, ...costUnder(trace, each) })),
  ];
}

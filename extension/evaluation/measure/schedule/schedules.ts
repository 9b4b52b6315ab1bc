import type { CachePrices } from '../../../engine/run/cache-prices';
import type { PromptRequest } from './prompt-requests';

/**
 * A session's requests with the compactions of a schedule in place of the agent's. A compaction leaves `target` tokens, of which
 * the system prompt is still in the cache, and then `reread` tokens come back, because the agent asks for them again.
 */
export interface Trace {
  /** Tokens that came with each request. */
  readonly added: readonly number[];
  /** Whether the prompt before it is still in the cache. */
  readonly isWarm: readonly boolean[];
  /** Tokens of the first prompt, which no compaction takes. */
  readonly base: number;
  readonly window: number;
  readonly prices: CachePrices;
}

/** Tokens. Above the mean that was measured, whose interval contains 0: docs/study/evidence.md, "Behaviour". */
const reread = 1_500;

/** Shares of the window that a compaction can leave. */
const targets = [0.125, 0.25, 0.5] as const;

/** A request larger than this share of the window does not fit, with its answer. */
const fits = 0.95;

const thresholds = [0.6, 0.7, 0.8, 0.85, 0.9, 0.95] as const;

export function traceOf(requests: readonly PromptRequest[], lifetime: number, prices: CachePrices): Trace | null {
  const [first] = requests;
  if (!first) return null;
  const grown = requests.map(({ tokens }, at) => Math.max(0, tokens - (requests[at - 1]?.tokens ?? tokens)));
  const typical = median(grown.filter((_, at) => at > 0 && !requests[at]?.isAnew));
  const largest = Math.max(...requests.map(({ tokens }) => tokens));
  return {
    added: grown.map((tokens, at) => (requests[at]?.isAnew ? typical : tokens)),
    isWarm: requests.map(({ idle }, at) => at > 0 && idle <= lifetime * 60_000),
    base: first.tokens,
    window: windows.find((window) => largest <= window) ?? largest,
    prices,
  };
}

const windows = [200_000, 272_000, 400_000, 1_000_000];

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Cost of one request in tokens at full price. `kept` is what the cache can have of it. */
function costOf(tokens: number, kept: number, { read, write }: CachePrices): number {
  return Math.min(kept, tokens) * read + Math.max(0, tokens - kept) * write;
}

/** Decides before a request whether to compact, and to how many tokens; null for not. */
export type Schedule = (state: ScheduleState) => number | null;

interface ScheduleState {
  readonly at: number;
  /** Tokens of the request if nothing is compacted. */
  readonly tokens: number;
  readonly isWarm: boolean;
  /** Tokens of the prompt before. */
  readonly before: number;
  readonly trace: Trace;
}

export interface ScheduleCost {
  readonly cost: number;
  readonly compactions: number;
}

/** Whatever the schedule says, a request that does not fit is compacted to half of the window. */
export function costUnder(trace: Trace, schedule: Schedule): ScheduleCost {
  const { base, window, added, isWarm, prices } = trace;
  let [before, cost, compactions] = [base, 0, 0];
  for (const [at, more] of added.entries()) {
    if (at === 0) continue;
    const grown = before + more;
    const warm = isWarm[at] ?? false;
    const wanted = schedule({ at, tokens: grown, isWarm: warm, before, trace });
    const target = wanted ?? (grown > window * fits ? window / 2 : null);
    const leaves = target === null ? grown : Math.max(base, target) + more + reread;
    const isCompacted = leaves < grown;
    const tokens = isCompacted ? leaves : grown;
    cost += costOf(tokens, isCompacted || !warm ? base : before, prices);
    if (isCompacted) compactions += 1;
    before = tokens;
  }
  return { cost, compactions };
}

const never: Schedule = () => null;

/** At a share of the window, to another one. */
export function atThreshold(share: number, target: number): Schedule {
  return ({ tokens, trace }) => (tokens >= trace.window * share ? trace.window * target : null);
}

/** Tokens by which a compaction makes this request smaller; not above 0 where it does not. */
function takenFrom({ before, trace: { base, window } }: ScheduleState, target: number): number {
  return before - Math.max(base, window * target) - reread;
}

/** What this request costs more with a compaction than without; null where nothing would be taken. */
function extraOf(state: ScheduleState, target: number): number | null {
  const { tokens, isWarm, before, trace } = state;
  const taken = takenFrom(state, target);
  if (taken <= 0) return null;
  return costOf(tokens - taken, trace.base, trace.prices) - costOf(tokens, isWarm ? before : trace.base, trace.prices);
}

/** Another schedule, but only where this very request costs no more than without: as soon as the cache is cold. */
export function ifNoDearer(schedule: Schedule): Schedule {
  return (state) => {
    const wanted = schedule(state);
    if (wanted === null) return null;
    const extra = extraOf(state, wanted / state.trace.window);
    return extra !== null && extra <= 0 ? wanted : null;
  };
}

/** Compacts if it pays should the session go on for as many requests as it has had. */
export function ifAsLongAgain(target: number): Schedule {
  return (state) => {
    const { at, trace } = state;
    const extra = extraOf(state, target);
    if (extra === null || extra > takenFrom(state, target) * trace.prices.read * at) return null;
    return trace.window * target;
  };
}

/**
 * Compacts once the requests since the last compaction have paid as much for the tokens that it would take as it costs now. It
 * needs no forecast: as long as its end is not known, a session that goes on pays at most twice. With a cold cache the whole prompt
 * is written anyway, so a compaction costs nothing.
 */
export function whenItPays(target: number): Schedule {
  let paid = 0;
  return (state) => {
    const extra = extraOf(state, target);
    if (extra === null) {
      paid = 0;
      return null;
    }
    paid += takenFrom(state, target) * state.trace.prices.read;
    if (paid < extra) return null;
    paid = 0;
    return state.trace.window * target;
  };
}

/** The least that any schedule could have cost, knowing the whole session. Time quadratic in the requests. */
export function bestInHindsight(trace: Trace): number {
  const { base, window, added, isWarm, prices } = trace;
  const count = added.length;
  const sizes = targets.map((share) => Math.max(base, window * share) + reread);
  // least[at][size]: cost of the requests after a compaction before request `at` that left so much, from it on.
  const least = Array.from({ length: count + 1 }, () => sizes.map(() => Number.POSITIVE_INFINITY));
  const from = (at: number, tokensAtIt: number, costAtIt: number): number => {
    let [tokens, cost] = [tokensAtIt, costAtIt];
    let best = Number.POSITIVE_INFINITY;
    for (let next = at + 1; next < count; next += 1) {
      const more = added[next] ?? 0;
      for (const [index, size] of sizes.entries()) {
        if (size < tokens) best = Math.min(best, cost + (least[next]?.[index] ?? 0));
      }
      const grown = tokens + more;
      if (grown > window * fits && sizes.some((size) => size < tokens)) return best;
      cost += costOf(grown, isWarm[next] ? tokens : base, prices);
      tokens = grown;
    }
    return Math.min(best, cost);
  };
  for (let at = count - 1; at >= 1; at -= 1) {
    for (const [index, size] of sizes.entries()) {
      const tokens = size + (added[at] ?? 0);
      const row = least[at];
      if (row) row[index] = from(at, tokens, costOf(tokens, base, prices));
    }
  }
  return from(0, base, 0);
}

/** Names of the schedules that others are compared with. */
export const bestSchedule = 'best in hindsight';
export const noSchedule = 'never, until it must';

/** Costs of a session under each schedule, by name. */
export function scheduleCosts(trace: Trace): (readonly [string, number])[] {
  return [
    [bestSchedule, bestInHindsight(trace)],
    [noSchedule, costUnder(trace, never).cost],
    ...thresholds.map((share) => [`at ${share}, to 0.25`, costUnder(trace, atThreshold(share, 0.25)).cost] as const),
    ...thresholds.map((share) => [`at ${share}, to 0.5`, costUnder(trace, atThreshold(share, 0.5)).cost] as const),
    ...[0.25, 0.5].map(
      (target) =>
        [`at 0.85, to ${target}, if no dearer`, costUnder(trace, ifNoDearer(atThreshold(0.85, target))).cost] as const,
    ),
    ...targets.map(
      (share) => [`if no dearer, to ${share}`, costUnder(trace, ifNoDearer(atThreshold(0, share))).cost] as const,
    ),
    ...targets.map((share) => [`if as long again, to ${share}`, costUnder(trace, ifAsLongAgain(share)).cost] as const),
    ...targets.map((share) => [`when it pays, to ${share}`, costUnder(trace, whenItPays(share)).cost] as const),
  ];
}

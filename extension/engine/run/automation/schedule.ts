import type { CachePrices } from './cache-prices';

/** The properties of a conversation, before its next request, that decide what its requests will cost. Sizes are in tokens. */
export interface Outlook {
  /** The next request if nothing is compacted. */
  readonly contextTokens: number;
  /** The beginning of the context that no compaction replaces, so that a cache keeps it. */
  readonly fixedTokens: number;
  /** Growth of the context with each request. */
  readonly growth: number;
  readonly contextWindow: number;
  /** Number of requests so far. */
  readonly requests: number;
  /** Whether the provider may still have the prompt before in its cache. */
  readonly isWarm: boolean;
  readonly prices: CachePrices;
  /** Cost of writing blocks per replaced token, in input tokens. 0 without a model. */
  readonly writing: number;
  /** The context after a run that only clears output. Absent: output is not cleared below the target. */
  readonly cleared?: ClearedContext;
}

/** Sizes are in tokens. */
export interface ClearedContext {
  readonly tokens: number;
  /** The beginning of the context before the first cleared output, so that a cache keeps it. */
  readonly keptTokens: number;
}

/** Costs are in tokens of input at the full price. */
export type ScheduleDecision =
  | { readonly kind: 'pays'; readonly targetTokens: number; readonly saved: number; readonly requests: number }
  /**
   * Compacting costs `lost` tokens more than it saves over the expected requests. `untilCold`: only while the cache has
   * the prompt.
   */
  | { readonly kind: 'dearer'; readonly lost: number; readonly requests: number; readonly untilCold: boolean }
  /** No smaller size than the context's present one can be reached. */
  | { readonly kind: 'nothing-to-take' };

/**
 * Decides whether a compaction before the next request pays, and to which of these targets. The choice never costs more
 * than no compaction, as far as expected. `sure`: the share of sessions that last at least as long as expected.
 */
export function decideSchedule(
  outlook: Outlook,
  targets: readonly number[],
  sure: number = sessionLengths.sure,
): ScheduleDecision {
  const requests = expectedRest(outlook.requests, sure);
  const without = costAhead(outlook, null, requests);
  const [best] = targets
    .filter((target) => target + rereadTokens < outlook.contextTokens)
    .map((target) => ({ target, saved: without - costAhead(outlook, contextAfter(outlook, target), requests) }))
    .sort((one, other) => other.saved - one.saved || other.target - one.target);
  if (!best) return { kind: 'nothing-to-take' };
  const { target, saved } = best;
  if (saved > 0) return { kind: 'pays', targetTokens: Math.round(target), saved: Math.round(saved), requests };
  const untilCold = outlook.isWarm && decideSchedule({ ...outlook, isWarm: false }, targets, sure).kind === 'pays';
  return { kind: 'dearer', lost: Math.round(-saved), requests, untilCold };
}

/**
 * Lengths of sessions follow a Lomax distribution: one that had more requests lasts longer. Fitted to half of the
 * projects of docs/study/evidence.md and checked on the others (docs/study/schedule.md).
 */
const sessionLengths = { scale: 309, shape: 9.39, sure: 0.9 };

/** Number of further requests that the share `sure` of sessions with this many requests have. At least one. */
export function expectedRest(requests: number, sure: number = sessionLengths.sure): number {
  const { scale, shape } = sessionLengths;
  return Math.max(1, Math.floor((scale + requests) * (sure ** (-1 / shape) - 1)));
}

/** Tokens that come back in the ten calls after a compaction, because the agent reads again: docs/study/evidence.md, "Behaviour". */
export const rereadTokens = 1_500;

/** A request above this share of the window does not fit with its answer. It is then compacted to `mustLeave`. */
export const fits = 0.95;
export const mustLeave = 0.5;

/** Where clearing alone reaches the target, nothing else is replaced. */
function contextAfter({ fixedTokens, cleared }: Outlook, target: number): ClearedContext {
  if (cleared && cleared.tokens <= target) return cleared;
  return { tokens: Math.max(fixedTokens, target), keptTokens: fixedTokens };
}

/** Cost of the next request and the expected later ones if a compaction before leaves `after`; null: without a compaction. */
function costAhead(outlook: Outlook, after: ClearedContext | null, requests: number): number {
  const { contextTokens, fixedTokens, growth, contextWindow, isWarm, prices, writing } = outlook;
  let tokens = after === null ? contextTokens : after.tokens + rereadTokens;
  let cost = writing * (contextTokens - tokens);
  cost += promptCost(tokens, isWarm ? (after?.keptTokens ?? contextTokens) : fixedTokens, prices);
  for (let ahead = 0; ahead < requests; ahead += 1) {
    const grown = tokens + growth;
    const mustCompact = grown > contextWindow * fits;
    const kept = mustCompact ? fixedTokens : tokens;
    tokens = mustCompact ? Math.max(fixedTokens, contextWindow * mustLeave) + growth + rereadTokens : grown;
    if (mustCompact) cost += writing * Math.max(0, grown - tokens);
    cost += promptCost(tokens, kept, prices);
  }
  return cost;
}

/** Cost of one prompt of which the cache may have the first `cached` tokens. */
export function promptCost(tokens: number, cached: number, { read, write }: CachePrices): number {
  return Math.min(cached, tokens) * read + Math.max(0, tokens - cached) * write;
}

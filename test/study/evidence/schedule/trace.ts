import type { CacheTerms } from '../../../../extension/engine/run/automation/cache-prices';
import type { PromptRequest } from './prompt-requests';

/**
 * A session's requests with the compactions of a schedule in place of the agent's. A compaction leaves `target` tokens,
 * of which the system prompt is still in the cache. Then some tokens return, because the agent requests them again.
 */
export interface Trace {
  /** Tokens that each request added. */
  readonly added: readonly number[];
  /** Whether the previous prompt is still in the cache. */
  readonly isWarm: readonly boolean[];
  /** Whether it may be in the cache, as far as the provider's rules tell. */
  readonly mayBeWarm: readonly boolean[];
  /** Compactions start between turns, as in Strata. */
  readonly opensTurn: readonly boolean[];
  /** Tokens of the first prompt, which no compaction replaces. */
  readonly base: number;
  readonly window: number;
  readonly prices: CacheTerms;
}

const minute = 60_000;

export function traceOf(requests: readonly PromptRequest[], lifetime: number, prices: CacheTerms): Trace | null {
  const [first] = requests;
  if (!first) return null;
  const grown = requests.map(({ tokens }, at) => Math.max(0, tokens - (requests[at - 1]?.tokens ?? tokens)));
  const typical = median(grown.filter((_, at) => at > 0 && !requests[at]?.isAnew));
  const largest = Math.max(...requests.map(({ tokens }) => tokens));
  return {
    added: grown.map((tokens, at) => (requests[at]?.isAnew ? typical : tokens)),
    isWarm: requests.map(({ idle }, at) => at > 0 && idle <= lifetime * minute),
    mayBeWarm: requests.map(({ idle }, at) => at > 0 && idle <= prices.lifetime * minute),
    opensTurn: requests.map(({ opensTurn }) => opensTurn),
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

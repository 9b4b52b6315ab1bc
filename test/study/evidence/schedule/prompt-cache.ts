import type { CachePrices } from '../../../../extension/engine/run/automation/cache-prices';
import type { PromptRequest } from './prompt-requests';

/** How long a provider keeps a prefix after its last use, in minutes. Anthropic has both; OpenAI says 5 to 60. */
export const lifetimes = [5, 60] as const;

const minute = 60_000;

/** Tokens that each request reads from the cache, if the cache loses nothing. */
export function expectedReads(requests: readonly PromptRequest[], lifetime: number): number[] {
  const shared = requests[0]?.read ?? 0;
  return requests.map(({ tokens, idle, isAnew }, at) => {
    const before = requests[at - 1];
    if (!before) return Math.min(shared, tokens);
    const isWarm = !isAnew && idle <= lifetime * minute;
    return Math.min(isWarm ? before.tokens : shared, tokens);
  });
}

/**
 * The cost of a session's prompts under the model of the cache, in tokens at full price. Caches also lose a prefix
 * within its lifetime. So there are two predictions, and the share of such losses decides between them.
 */
export interface CachePrediction {
  readonly lifetime: number;
  /** By the provider's counters. */
  readonly actual: number;
  readonly ifKept: number;
  /** The cost if each warm request found only what sessions share. */
  readonly ifLost: number;
}

export function cachePrediction(
  requests: readonly PromptRequest[],
  lifetime: number,
  { read, write }: CachePrices,
): CachePrediction {
  const shared = requests[0]?.read ?? 0;
  const reads = expectedReads(requests, lifetime);
  let [actual, ifKept, ifLost] = [0, 0, 0];
  for (const [at, request] of requests.entries()) {
    const expected = reads[at] ?? 0;
    if (at === 0) continue;
    const priced = (cached: number) => cached * read + (request.tokens - cached) * write;
    actual += priced(request.read);
    ifKept += priced(expected);
    ifLost += priced(Math.min(shared, expected));
  }
  return { lifetime, actual, ifKept, ifLost };
}

/** US dollars for a million tokens. */
interface ModelPrices {
  /** Matches the model's name as session files give it. */
  readonly models: RegExp;
  readonly input: number;
  readonly cacheRead: number;
  /** Price of writing a prompt's new part to the cache. Equals `input` if the provider charges nothing extra. */
  readonly cacheWrite: number;
  /**
   * How long the provider keeps a prompt after its last use, in minutes. Anthropic says 5 or 60, OpenAI 5 to 60; these fit the counters of
   * most sessions: docs/study/schedule.md.
   */
  readonly lifetime: number;
  readonly source: string;
  /** When the source was read. */
  readonly date: string;
}

const anthropic = {
  lifetime: 60,
  source: 'https://platform.claude.com/docs/en/about-claude/pricing',
  date: '2026-11-24',
};
const openai = {
  lifetime: 5,
  source: 'https://aifinhub.io/articles/openai-prompt-caching-pricing-2026/',
  date: '2026-11-24',
};

/** Models that occur in public sessions. Cache writes are priced for a lifetime of five minutes. */
const prices: readonly ModelPrices[] = [
  { models: /^claude-fable-5(?!-1)/, input: 10, cacheRead: 1, cacheWrite: 12.5, ...anthropic },
  { models: /^claude-opus-(?:4-[5-8]|5(?!-5))/, input: 5, cacheRead: 0.5, cacheWrite: 6.25, ...anthropic },
  { models: /^claude-opus-4(?:-[01]|-2|$)/, input: 15, cacheRead: 1.5, cacheWrite: 18.75, ...anthropic },
  { models: /^claude-sonnet-4/, input: 3, cacheRead: 0.3, cacheWrite: 3.75, ...anthropic },
  { models: /^claude-haiku-4/, input: 1, cacheRead: 0.1, cacheWrite: 1.25, ...anthropic },
  { models: /^gpt-5\.4(?!-)/, input: 2.5, cacheRead: 0.25, cacheWrite: 2.5, ...openai },
  { models: /^gpt-5\.5(?!-)/, input: 5, cacheRead: 0.5, cacheWrite: 5, ...openai },
];

/** Price of a token read from or written to the provider's cache, relative to an ordinary input token. */
export interface CachePrices {
  readonly read: number;
  readonly write: number;
}

export interface CacheTerms extends CachePrices {
  /** See `ModelPrices`. */
  readonly lifetime: number;
}

/** Null for a model that is not in the table. */
export function cachePricesOf(model: string | null): CacheTerms | null {
  const found = model === null ? undefined : prices.find(({ models }) => models.test(model));
  if (!found) return null;
  const { input, cacheRead, cacheWrite, lifetime } = found;
  return { read: cacheRead / input, write: cacheWrite / input, lifetime };
}

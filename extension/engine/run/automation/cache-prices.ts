import { plainModelName } from '../../block/model-name';

/** Price of a token read from or written to the provider's cache, relative to an ordinary input token. */
export interface CachePrices {
  readonly read: number;
  /** 1 if the provider charges nothing extra for writing a prompt's new part to the cache. */
  readonly write: number;
}

export interface CacheTerms extends CachePrices {
  /**
   * How long the provider keeps a prompt after its last use, in minutes. Anthropic says 5 or 60, OpenAI before GPT-5.6 5 to 60; these fit
   * the counters of most sessions: docs/study/schedule.md. OpenAI says 30 since GPT-5.6, Google names no time.
   */
  readonly lifetime: number;
}

/** Writes are priced for the shortest lifetime that the provider offers. */
const anthropic = { write: 1.25, lifetime: 60 };
const openai = { write: 1, lifetime: 5 };
const openaiSince56 = { write: 1.25, lifetime: 30 };
const google = { write: 1, lifetime: 5 };

/**
 * By the start of a model's name; the first fitting row counts. OpenAI lists no cache prices for its Pro models. Sources:
 * platform.claude.com/docs/en/about-claude/pricing, developers.openai.com/api/docs/models with a page for each model,
 * ai.google.dev/gemini-api/docs/caching and docs.cloud.google.com (implicit caching), 2026-11.
 */
const terms: readonly (readonly [models: RegExp, terms: CacheTerms])[] = [
  [/^claude-fable-5[-.]1\b/, { read: 0.025, ...anthropic }],
  [/^claude-(?:opus|sonnet)-5[-.]5\b/, { read: 0.05, ...anthropic }],
  [
    /^claude-(?:haiku-5[-.]5\b|(?:opus|sonnet|haiku)-4|(?:opus|sonnet|fable)-5(?![-.]\d\b))/,
    { read: 0.1, ...anthropic },
  ],
  [/^gpt-5(?:\.[1-5])?(?![.\d]|.*-pro\b)/, { read: 0.1, ...openai }],
  [/^gpt-(?:5\.6|6(?![.\d]))(?!.*-pro\b)/, { read: 0.1, ...openaiSince56 }],
  [/^gpt-6\.[12](?!.*-pro\b)/, { read: 0.05, ...openaiSince56 }],
  [/^gemini-(?:2\.5|3)\b/, { read: 0.1, ...google }],
];

/** Null for a model that is not in the table. */
export function cachePricesOf(model: string | null): CacheTerms | null {
  if (model === null) return null;
  const name = plainModelName(model);
  return terms.find(([models]) => models.test(name))?.[1] ?? null;
}

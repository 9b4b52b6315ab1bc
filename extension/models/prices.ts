import { plainModelName } from '../engine/block/model-name';
import { type LocalizableText, localizable } from '../engine/wording/localizable-text';

/** Dollars per million tokens. */
export interface TokenPrice {
  readonly input: number;
  readonly output: number;
}

/** When the list was read. */
const listed = '2026-11';

/**
 * The providers' list prices for their own APIs, without discounts for caches and batches. If a price depends on the length of the prompt
 * or on the date, the highest one. Sources: platform.claude.com/docs/en/models/overview, developers.openai.com/api/docs/pricing,
 * ai.google.dev/gemini-api/docs/pricing.
 */
const prices: Readonly<Record<string, readonly [input: number, output: number]>> = {
  'claude-fable-5-1': [10, 50],
  'claude-opus-5-5': [4, 20],
  'claude-opus-5': [5, 25],
  'claude-sonnet-5-5': [2, 10],
  'claude-sonnet-5': [2, 10],
  'claude-haiku-5-5': [0.5, 2.5],
  'claude-haiku-4-5': [1, 5],

  'gpt-6.2-astra': [16, 60],
  'gpt-6.2-sol': [4, 15],
  'gpt-6.1-sol': [4, 15],
  'gpt-6.1-terra': [2, 7.5],
  'gpt-6-astra': [20, 75],
  'gpt-6-sol': [4, 15],
  'gpt-6-luna': [0.2, 0.75],
  'gpt-5.6-terra': [4, 18],
  'gpt-5.6-luna': [0.4, 1.8],
  'gpt-5.5': [10, 45],
  'gpt-5.4': [5, 22.5],
  'gpt-5.4-mini': [0.75, 4.5],
  'gpt-5.4-nano': [0.2, 1.25],

  'gemini-3.8-flash': [1.5, 7.5],
  'gemini-3.5-flash': [1.5, 9],
  'gemini-3.5-flash-lite': [0.3, 2.5],
  'gemini-3.1-pro-preview': [4, 18],
};

/** At the end of a name: the date of a version, or Bedrock's suffix. */
const version = /[-@](?:\d{8}|\d{4}-\d{2}-\d{2})(?:-v\d+(?::\d+)?)?$/;

/** Null for a model that is not in the list: a price is never guessed from a similar name, or from an alias. */
export function priceOf(model: string | null): TokenPrice | null {
  if (model === null) return null;
  const name = plainModelName(model).replace(version, '');
  if (!Object.hasOwn(prices, name)) return null;
  const [input, output] = prices[name] as (typeof prices)[string];
  return { input, output };
}

const million = 1_000_000;

/** The cost of these tokens, rounded up to whole cents; null if the price is unknown. */
export function costText(
  price: TokenPrice | null,
  tokens: { readonly input: number; readonly output: number },
): LocalizableText | null {
  if (price === null) return null;
  const dollars = (price.input * tokens.input + price.output * tokens.output) / million;
  return localizable('about {0} at list prices of {1}', dollarsText(dollars), listed);
}

function dollarsText(dollars: number): string {
  return `$${(Math.ceil(dollars * 100) / 100).toFixed(2)}`;
}

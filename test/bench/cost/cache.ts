import * as s from '../../../extension/platform/json/schemas';

/** Characters of a token. */
const tokenLength = 4;

/** A prompt shorter than that is not cached, and a cached prefix grows in steps: https://platform.openai.com/docs/guides/prompt-caching */
const [leastCached, cachedStep] = [1024, 128];

/** Newest requests whose prefixes are still in the cache. */
const remembered = 20;

export interface CacheUse {
  /** In tokens. */
  readonly prompt: number;
  readonly cached: number;
}

/** What a provider with an automatic cache reads of each prompt from it: the longest prefix that a request before had. */
export class PromptCache {
  readonly #prompts: string[] = [];

  take(body: s.JsonRecord): CacheUse {
    const text = promptOf(body);
    const cached = Math.max(0, ...this.#prompts.map((before) => commonLength(before, text)));
    this.#prompts.push(text);
    if (this.#prompts.length > remembered) this.#prompts.shift();
    const tokens = Math.floor(cached / tokenLength / cachedStep) * cachedStep;
    return { prompt: tokensOf(body), cached: tokens < leastCached ? 0 : tokens };
  }
}

export function tokensOf(body: s.JsonRecord): number {
  return Math.ceil(promptOf(body).length / tokenLength);
}

/** Tools come first, as providers have them. */
function promptOf({ tools = [], messages }: s.JsonRecord): string {
  return [JSON.stringify(tools), ...s.read(s.list, messages).map((message) => JSON.stringify(message))].join('\n');
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let [same, different] = [0, most + 1];
  while (different - same > 1) {
    const middle = Math.floor((same + different) / 2);
    if (one.startsWith(other.slice(same, middle), same)) same = middle;
    else different = middle;
  }
  return same;
}

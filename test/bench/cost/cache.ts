import * as s from '../../../extension/platform/json/schemas';

/** Characters per token. */
const tokenLength = 4;

/**
 * Shorter prompts are not cached, and a cached prefix grows in steps:
 * https://platform.openai.com/docs/guides/prompt-caching
 */
const [leastCached, cachedStep] = [1024, 128];

/** Number of newest requests whose prefixes are in the cache. */
const remembered = 20;

export interface CacheUse {
  /** In tokens. */
  readonly prompt: number;
  readonly cached: number;
}

/**
 * The automatic cache of a provider: of each prompt, it has the longest prefix that it shares with an earlier prompt.
 */
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

/** The text of a prompt. Tools come first, as providers put them. */
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

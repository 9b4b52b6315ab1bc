import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { type LanguageModel, ModelFailed, type Prompt } from '../block/language-model';

/** After this many calls in a row that failed or were answered with nothing of use, the model is asked no more. */
const uselessBeforeStop = 3;

export interface Question<Answer> {
  readonly prompt: () => Prompt;
  readonly maxTokens: number;
  readonly read: (text: string) => Answer | null;
}

/** The questions that one block asks of a model, what they cost, and how many came to nothing. */
export class Inquiry {
  readonly #hash = sha256.create();
  #asked = 0;
  #uselessInRow = 0;
  #unanswered = 0;
  #tokens = { input: 0, output: 0 };

  constructor(
    readonly model: LanguageModel | null,
    readonly signal: AbortSignal,
  ) {}

  /**
   * The answer, or null where there is no model to ask, the call failed, or `read` cannot use what came. The prompt is
   * built only when there is someone to ask.
   */
  async ask<Answer>({ prompt, maxTokens, read }: Question<Answer>): Promise<Answer | null> {
    this.signal.throwIfAborted();
    if (this.model === null || this.hasStopped) return null;
    const asked = prompt();
    this.#note(asked);
    const text = await this.#complete(this.model, asked, maxTokens);
    const answer = text === null ? null : read(text);
    this.#uselessInRow = answer === null ? this.#uselessInRow + 1 : 0;
    if (answer === null) this.#unanswered += 1;
    return answer;
  }

  async #complete(model: LanguageModel, prompt: Prompt, maxTokens: number): Promise<string | null> {
    try {
      const { text, tokens } = await model.complete(prompt, { maxTokens, signal: this.signal });
      this.#tokens = { input: this.#tokens.input + tokens.input, output: this.#tokens.output + tokens.output };
      return text;
    } catch (error) {
      this.signal.throwIfAborted();
      if (!(error instanceof ModelFailed)) throw error;
      return null;
    }
  }

  #note({ system, user }: Prompt): void {
    this.#asked += 1;
    this.#hash.update(utf8ToBytes(JSON.stringify([system, user])));
  }

  get hasStopped(): boolean {
    return this.#uselessInRow >= uselessBeforeStop;
  }

  /** Calls that failed and answers that could not be used; in each case extraction stood in. */
  get unanswered(): number {
    return this.#unanswered;
  }

  get tokensSpent(): { readonly input: number; readonly output: number } {
    return this.#tokens;
  }

  /** Of all prompts, in the order they were asked; null where nothing was. */
  get promptHash(): string | null {
    return this.#asked === 0 ? null : bytesToHex(this.#hash.clone().digest());
  }

  /** In the block's first line: how many of what was made the model wrote, and how many extraction did. */
  authorsOf(made: readonly { readonly by: 'model' | 'extraction' }[]): string {
    const byModel = made.filter(({ by }) => by === 'model').length;
    return [
      ...(byModel > 0 ? [`${byModel} by ${this.model?.model ?? 'a model'}`] : []),
      ...(made.length > byModel || byModel === 0 ? [`${made.length - byModel} by extraction`] : []),
    ].join(', ');
  }

  /** In the block's first line: what came to nothing is said. */
  get trouble(): string {
    const parts = [
      this.#unanswered === 0 ? '' : `${this.#unanswered} of ${this.#asked} questions to the model came to nothing`,
      this.hasStopped ? `it was asked no more after ${uselessBeforeStop} such in a row` : '',
    ].filter((part) => part !== '');
    return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
  }
}

/** Work on several at once, as many as do no harm, with the results in the order of the items. */
export async function inGroups<T, R>(items: readonly T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += size) {
    results.push(...(await Promise.all(items.slice(start, start + size).map(work))));
  }
  return results;
}

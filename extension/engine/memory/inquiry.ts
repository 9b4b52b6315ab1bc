import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { failureOr, type LanguageModel, ModelFailed, type Prompt } from '../block/language-model';
import { emptyMemory, type Memory } from '../block/memory';
import type { WrittenBlock } from '../block/strategy';
import type { Span } from '../block/summary';
import type { ParsedAnswer } from '../prompts/json-answer';

/** After this many failed calls or unusable answers in a row, the model is not asked again. */
const maxFailuresInRow = 3;

interface Question<T> {
  readonly prompt: () => Prompt;
  readonly maxTokens: number;
  readonly read: (text: string) => ParsedAnswer<T>;
}

/** The requests to a model for one block: their answers, cost and failures. */
export class Inquiry {
  readonly #hash = sha256.create();
  #asked = 0;
  #failuresInRow = 0;
  #unanswered = 0;
  #tokens = { input: 0, output: 0 };

  constructor(
    readonly model: LanguageModel | null,
    readonly signal: AbortSignal,
  ) {}

  /**
   * The answer; null if there is no model, the call failed, or the answer is unusable. The prompt is only built if
   * the model is asked.
   */
  async ask<T>({ prompt, maxTokens, read }: Question<T>): Promise<T | null> {
    this.signal.throwIfAborted();
    if (this.model === null || this.hasStopped) return null;
    const asked = prompt();
    this.#note(asked);
    const text = await this.#complete(this.model, asked, maxTokens);
    const answer = text === null ? null : read(text);
    if (answer?.kind === 'answer') {
      this.#failuresInRow = 0;
      return answer.value;
    }
    this.#failuresInRow += 1;
    this.#unanswered += 1;
    return null;
  }

  /** Processes items, as many at once as the model takes calls. Results are in the order of the items. */
  async forEach<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    const size = Math.max(1, this.model?.concurrency ?? 1);
    const results: R[] = [];
    for (let start = 0; start < items.length; start += size) {
      results.push(...(await Promise.all(items.slice(start, start + size).map(work))));
    }
    return results;
  }

  async #complete(model: LanguageModel, prompt: Prompt, maxTokens: number): Promise<string | null> {
    const completion = await failureOr(this.signal, () => model.complete(prompt, { maxTokens, signal: this.signal }));
    if (completion instanceof ModelFailed) return null;
    const { text, tokens } = completion;
    this.#tokens = { input: this.#tokens.input + tokens.input, output: this.#tokens.output + tokens.output };
    return text;
  }

  #note({ system, user }: Prompt): void {
    this.#asked += 1;
    this.#hash.update(utf8ToBytes(JSON.stringify([system, user])));
  }

  get hasStopped(): boolean {
    return this.#failuresInRow >= maxFailuresInRow;
  }

  get tokensSpent(): { readonly input: number; readonly output: number } {
    return this.#tokens;
  }

  /** Hash of all prompts in order; null if there were none. */
  get promptHash(): string | null {
    return this.#asked === 0 ? null : bytesToHex(this.#hash.clone().digest());
  }

  /** For the first line of the block: how many items the model wrote and how many were extracted. */
  authorsOf(made: readonly { readonly by: 'model' | 'extraction' }[]): string {
    const byModel = made.filter(({ by }) => by === 'model').length;
    return [
      ...(byModel > 0 ? [`${byModel} by ${this.model?.model ?? 'a model'}`] : []),
      ...(made.length > byModel || byModel === 0 ? [`${made.length - byModel} by extraction`] : []),
    ].join(', ');
  }

  /** For the first line of the block: what failed. */
  get failureNote(): string {
    const parts = [
      this.#unanswered === 0 ? '' : `${this.#unanswered} of ${this.#asked} requests to the model failed`,
      this.hasStopped ? `it was not asked again after ${maxFailuresInRow} failures in a row` : '',
    ].filter((part) => part !== '');
    return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
  }
}

/** The block of a memory strategy, with the cost of its requests to the model. */
export function writtenBlock(
  strategy: string,
  inquiry: Inquiry,
  { body, spans, memory }: { body: string; spans: readonly Span[]; memory: Partial<Memory> },
): WrittenBlock {
  return {
    body,
    spans,
    tokensSpent: inquiry.tokensSpent,
    promptHash: inquiry.promptHash,
    writer: { name: strategy, model: inquiry.model?.model ?? null },
    memory: { ...emptyMemory, ...memory },
  };
}

import type { CountTokens } from '../engine/conversation/tokens';
import { withoutReasoning } from './reasoning';

/** Where no tokenizer is at hand, a token is about four characters of English or code. */
const charactersPerToken = 4;

export const estimatedTokens: CountTokens = (text) => Math.ceil(text.length / charactersPerToken);

/** Counting anew for fewer characters than this is not worth it. */
const leastStep = 64;

export interface TextCap {
  readonly maxTokens: number;
  /** What a model may think before and besides that, in tokens. */
  readonly reasoningTokens: number;
  readonly countTokens: CountTokens;
}

/**
 * The text of an answer while it streams, and whether it has got too long: not every server keeps to the limit that it
 * was given. Counts only when as many characters came as tokens were left, which keeps the counting linear.
 */
export class CappedText {
  #raw = '';
  #reasoning = 0;
  #countAt = 0;

  constructor(private readonly cap: TextCap) {
    this.#countAt = cap.maxTokens;
  }

  /** Without reasoning. */
  get text(): string {
    return withoutReasoning(this.#raw);
  }

  get hasReasoned(): boolean {
    return this.#reasoning > 0 || this.text !== this.#raw;
  }

  /** True once the answer is as long as it may get. */
  add(piece: string): boolean {
    this.#raw += piece;
    return this.#isFull();
  }

  /** Reasoning that comes apart from the text. */
  addReasoning(piece: string): boolean {
    this.#reasoning += piece.length;
    return this.#isFull();
  }

  #isFull(): boolean {
    const length = this.#raw.length + this.#reasoning;
    if (length < this.#countAt) return false;
    const { maxTokens, reasoningTokens, countTokens } = this.cap;
    const left = maxTokens - countTokens(this.text);
    const thought = Math.max(0, length - this.text.length) / charactersPerToken;
    const room = Math.min(left, Math.floor(left + reasoningTokens - thought));
    this.#countAt = length + Math.max(leastStep, room);
    return room <= 0;
  }
}

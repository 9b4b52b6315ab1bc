import type { CountTokens } from '../engine/conversation/tokens';
import { withoutReasoning } from './reasoning';

/** For estimates without a tokenizer: characters per token in English and code. */
const charactersPerToken = 4;

export const estimatedTokens: CountTokens = (text) => Math.ceil(text.length / charactersPerToken);

/** Minimum number of new characters before the text is counted again. */
const leastStep = 64;

interface TextCap {
  readonly maxTokens: number;
  /** Additional tokens for reasoning before and besides the text. */
  readonly reasoningTokens: number;
  readonly countTokens: CountTokens;
}

/**
 * The text of a streaming answer and whether it exceeds its limit, because not every server enforces the limit it was
 * given. Recounts only after as many characters as there were tokens left, which keeps the counting linear.
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

  /** True once the answer reached its limit. */
  add(piece: string): boolean {
    this.#raw += piece;
    return this.#isFull();
  }

  /** Reasoning that is sent apart from the text. */
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

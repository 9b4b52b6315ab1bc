import type { Entry, Part } from './entry';
import { inputText } from './entry';

/** Tokens of a text. Text that looks like a special token counts as text. */
export type CountTokens = (text: string) => number;

/** What the chat format adds to every message: its role and the marks around it (OpenAI's cookbook counts 3 and 1). */
export const tokensPerMessage = 4;

/** No file tells what a picture cost. Anthropic's ceiling is about 1,600 tokens; most screenshots come close to it. */
export const tokensPerImage = 1500;

/**
 * The longest text that a tokenizer takes at once, in UTF-16 units; its cost grows faster than its input. A text cut at
 * multiples of it counts the same in pieces as it does whole.
 */
export const countedAtOnce = 65_536;

/** Counts everything once, however often it is asked for: entries and parts never change. */
export class TokenLedger {
  readonly #counts = new WeakMap<Part, number>();
  readonly #entryCounts = new WeakMap<Entry, number>();

  constructor(readonly countText: CountTokens) {}

  knows(part: Part): boolean {
    return part.type === 'image' || this.#counts.has(part);
  }

  /** Whether the entry as a whole was asked for before, so that nothing of it is left to count. */
  knowsEntry(entry: Entry): boolean {
    return this.#entryCounts.has(entry);
  }

  /** Takes over a count that was made elsewhere, with the same tokenizer. */
  know(part: Part, tokens: number): void {
    this.#counts.set(part, tokens);
  }

  ofEntry(entry: Entry): number {
    const known = this.#entryCounts.get(entry);
    if (known !== undefined) return known;
    const counted = this.ofParts(entry.parts);
    this.#entryCounts.set(entry, counted);
    return counted;
  }

  ofParts(parts: readonly Part[]): number {
    return parts.reduce((sum, part) => sum + this.ofPart(part), tokensPerMessage);
  }

  ofPart(part: Part): number {
    const known = this.#counts.get(part);
    if (known !== undefined) return known;
    const counted = this.#count(part);
    this.#counts.set(part, counted);
    return counted;
  }

  #count(part: Part): number {
    if (part.type === 'image') return tokensPerImage;
    return countedTexts(part).reduce((sum, text) => sum + this.countText(text), 0);
  }
}

/** The texts that a part's tokens are counted in, each for itself; none of a picture. */
export function countedTexts(part: Part): readonly string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'tool_result':
    case 'tool_definitions':
      return [part.text];
    case 'tool_call':
      return [part.name, inputText(part.input)];
    case 'image':
      return [];
  }
}

/** UTF-16 units that stand for one token where nothing was counted; o200k has about four in English and in code. */
const lengthOfToken = 4;

/** A ledger of estimates by length, which take no time. */
export function estimatesByLength(): TokenLedger {
  return new TokenLedger((text) => Math.ceil(text.length / lengthOfToken));
}

import type { Entry, Part } from './entry';
import { inputText } from './entry';

/** Counts the tokens of a text. Special tokens in it count as text. */
export interface CountTokens {
  (text: string): number;
  /** Set on Strata's own, which a thread loads by name: a function cannot be sent to it. */
  readonly counter?: CounterName;
}

/** `o200k`: exact. `estimate`: from the commonest tokens of the same table. */
export type CounterName = 'o200k' | 'estimate';

export function named(counter: CounterName, count: (text: string) => number): CountTokens {
  return Object.assign(count, { counter });
}

/** Overhead of each message in the chat format: its role and delimiters (OpenAI's cookbook counts 3 and 1). */
export const tokensPerMessage = 4;

/**
 * Session files do not say what an image costs. Anthropic's maximum is about 1,600 tokens, and most screenshots come
 * close to it.
 */
const tokensPerImage = 1500;

/**
 * Maximum length of a text that is tokenized at once, in UTF-16 units; the cost grows faster than the length. A text
 * that is cut at multiples of it has the same count in pieces as whole.
 */
export const maxCountedLength = 65_536;

/** Counts each entry and part once. They never change. */
export class TokenLedger {
  readonly #counts = new WeakMap<Part, number>();
  readonly #entryCounts = new WeakMap<Entry, number>();

  constructor(readonly countText: CountTokens) {}

  has(part: Part): boolean {
    return part.type === 'image' || this.#counts.has(part);
  }

  hasEntry(entry: Entry): boolean {
    return this.#entryCounts.has(entry);
  }

  /** Adds a count that was made elsewhere with the same tokenizer. */
  add(part: Part, tokens: number): void {
    this.#counts.set(part, tokens);
  }

  ofEntry(entry: Entry): number {
    const known = this.#entryCounts.get(entry);
    if (known !== undefined) return known;
    const counted = this.ofParts(entry.parts);
    this.#entryCounts.set(entry, counted);
    return counted;
  }

  ofEntries(entries: readonly Entry[]): number {
    return entries.reduce((sum, entry) => sum + this.ofEntry(entry), 0);
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

/** The texts of a part, which are counted separately. An image has none. */
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

/** Length of the texts of a part, in UTF-16 units. */
export function textLength(part: Part): number {
  return countedTexts(part).reduce((sum, text) => sum + text.length, 0);
}

/** UTF-16 units per token for estimates. o200k has about four in English and in code. */
const unitsPerToken = 4;

/** A ledger that estimates by length instead of counting. */
export function estimatesByLength(): TokenLedger {
  return new TokenLedger((text) => Math.ceil(text.length / unitsPerToken));
}

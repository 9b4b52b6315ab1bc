import type { Entry, Part } from './entry';
import { inputText } from './entry';

/** Tokens of a text. Text that looks like a special token counts as text. */
export type CountTokens = (text: string) => number;

/** What the chat format adds to every message: its role and the marks around it (OpenAI's cookbook counts 3 and 1). */
export const tokensPerMessage = 4;

/** No file tells what a picture cost. Anthropic's ceiling is about 1,600 tokens; most screenshots come close to it. */
export const tokensPerImage = 1500;

/** Counts everything once, however often it is asked for: entries and parts never change. */
export class TokenLedger {
  readonly #counts = new WeakMap<Part, number>();
  readonly #entryCounts = new WeakMap<Entry, number>();

  constructor(readonly countText: CountTokens) {}

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
    switch (part.type) {
      case 'text':
      case 'reasoning':
      case 'tool_result':
      case 'tool_definitions':
        return this.countText(part.text);
      case 'tool_call':
        return this.countText(part.name) + this.countText(inputText(part.input));
      case 'image':
        return tokensPerImage;
    }
  }
}

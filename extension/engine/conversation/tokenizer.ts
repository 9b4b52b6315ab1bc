import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { CountTokens } from './tokens';

/** The longest text handed to the tokenizer at once, in UTF-16 units. Its cost grows faster than its input. */
const chunkLength = 16_384;

/** A run without a space longer than this is no word; merging it as one would take quadratic time. */
const longestWord = 512;
const longWord = new RegExp(`\\S{${longestWord}}`, 'g');

/** `<|im_start|>` in a session is text that somebody wrote or read; it neither opens a message nor throws. */
const specialTokensAsText = { disallowedSpecial: new Set<string>() };

/** Counts with `o200k_base`. Cutting very long texts into chunks makes at most one token of difference for each cut. */
export const countWithO200k: CountTokens = (text) => {
  let total = 0;
  for (let start = 0; start < text.length; start += chunkLength) {
    total += countChunk(text.slice(start, start + chunkLength));
  }
  return total;
};

function countChunk(chunk: string): number {
  return countTokens(chunk.replace(longWord, '$& '), specialTokensAsText);
}

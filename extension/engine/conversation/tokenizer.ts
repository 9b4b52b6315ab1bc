import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { CountTokens } from './tokens';

/** The longest text handed to the tokenizer at once, in UTF-16 units. Its cost grows faster than its input. */
const chunkLength = 65_536;

/** A run without a space longer than this is no word; merging it as one would take quadratic time. */
const longestWord = 512;

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
  return countTokens(withBrokenWords(chunk), specialTokensAsText);
}

const spaceCode = 0x20;

/** A regular expression for this takes longer than the tokenizer itself. */
function withBrokenWords(text: string): string {
  const pieces: string[] = [];
  let start = 0;
  let run = 0;
  for (let index = 0; index < text.length; index += 1) {
    run = text.charCodeAt(index) <= spaceCode ? 0 : run + 1;
    if (run < longestWord) continue;
    pieces.push(text.slice(start, index + 1));
    start = index + 1;
    run = 0;
  }
  return pieces.length === 0 ? text : [...pieces, text.slice(start)].join(' ');
}

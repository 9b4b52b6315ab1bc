import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type CountTokens, countedAtOnce } from './tokens';

/** A longer run without a space, or of nothing but spaces, is no text; merging it as one would take quadratic time. */
const longestRun = 512;

/** `<|im_start|>` in a session is text that somebody wrote or read; it neither opens a message nor throws. */
const specialTokensAsText = { disallowedSpecial: new Set<string>() };

/** Counts with `o200k_base`. Cutting very long texts into chunks makes at most one token of difference for each cut. */
export const countWithO200k: CountTokens = (text) => {
  let total = 0;
  for (let start = 0; start < text.length; start += countedAtOnce) {
    total += countChunk(text.slice(start, start + countedAtOnce));
  }
  return total;
};

function countChunk(chunk: string): number {
  return shortRuns(chunk).reduce((total, piece) => total + countTokens(piece, specialTokensAsText), 0);
}

const spaceCode = 0x20;

/**
 * The text in pieces, cut wherever a run of letters, or of white space, gets too long. A regular expression for this
 * takes longer than the tokenizer itself.
 */
function shortRuns(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let run = 0;
  let inSpace = false;
  for (let index = 0; index < text.length; index += 1) {
    const isSpace = text.charCodeAt(index) <= spaceCode;
    run = isSpace === inSpace ? run + 1 : 1;
    inSpace = isSpace;
    if (run < longestRun) continue;
    pieces.push(text.slice(start, index + 1));
    start = index + 1;
    run = 0;
  }
  return start === 0 ? [text] : [...pieces, text.slice(start)];
}

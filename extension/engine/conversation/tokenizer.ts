import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { type CountTokens, maxCountedLength } from './tokens';

/**
 * Maximum length of a run of letters or of white space. Such a run is no natural text, and merging it takes quadratic
 * time.
 */
const maxRun = 512;

/** `<|im_start|>` in a session is ordinary text: it neither opens a message nor throws. */
const specialTokensAsText = { disallowedSpecial: new Set<string>() };

/**
 * Counts with `o200k_base`. Very long texts are cut into chunks, which changes the count by at most one token for each
 * cut.
 */
export const countWithO200k: CountTokens = (text) => {
  let total = 0;
  for (let start = 0; start < text.length; start += maxCountedLength) {
    total += countChunk(text.slice(start, start + maxCountedLength));
  }
  return total;
};

function countChunk(chunk: string): number {
  return shortRuns(chunk).reduce((total, piece) => total + countTokens(piece, specialTokensAsText), 0);
}

const spaceCode = 0x20;

/**
 * Splits a text wherever a run of letters or of white space gets too long. A regular expression for this would take
 * longer than the tokenizer itself.
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
    if (run < maxRun) continue;
    pieces.push(text.slice(start, index + 1));
    start = index + 1;
    run = 0;
  }
  return start === 0 ? [text] : [...pieces, text.slice(start)];
}

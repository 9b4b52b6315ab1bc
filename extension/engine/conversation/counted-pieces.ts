import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { maxCountedLength } from './tokens';

/** Maximum length of a run of letters or of white space. Such a run is not natural text, and merging it takes quadratic time. */
const maxRun = 512;

/**
 * Counts by pieces that a tokenizer takes in linear time. Each cut changes the count by at most one token. `countPiece`
 * may return fractions.
 */
export function inPieces(countPiece: (piece: string) => number): (text: string) => number {
  return (text) => {
    let total = 0;
    for (let start = 0; start < text.length; start += maxCountedLength) {
      total += countChunk(text.slice(start, start + maxCountedLength), countPiece);
    }
    return total;
  };
}

function countChunk(chunk: string, countPiece: (piece: string) => number): number {
  if (!mayHaveLongRun(chunk)) return Math.round(countPiece(chunk));
  return Math.round(shortRuns(chunk).reduce((total, piece) => total + countPiece(piece), 0));
}

const spaceCode = 0x20;

function isSpace(text: string, index: number): boolean {
  return text.charCodeAt(index) <= spaceCode;
}

/** A run of `maxRun` contains a whole block of this size at a multiple of it. */
const block = maxRun / 2;

/** Whether a block is a single run. Most blocks of natural text are left after a few characters. */
function mayHaveLongRun(text: string): boolean {
  for (let start = 0; start + block <= text.length; start += block) {
    const inSpace = isSpace(text, start);
    let index = start + 1;
    while (index < start + block && isSpace(text, index) === inSpace) index += 1;
    if (index === start + block) return true;
  }
  return false;
}

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
    const isInSpace = isSpace(text, index);
    run = isInSpace === inSpace ? run + 1 : 1;
    inSpace = isInSpace;
    if (run < maxRun) continue;
    pieces.push(text.slice(start, index + 1));
    start = index + 1;
    run = 0;
  }
  return start === 0 ? [text] : [...pieces, text.slice(start)];
}

/** V8 copies a shorter part of a text. A longer one keeps the whole text in memory. */
const maxKnownWord = 12;
const maxKnownWords = 65_536;

/**
 * Counts a text word by word, as `o200k_base` splits it: tokens never cross these borders. Words repeat, so each is counted
 * once and then looked up, which is faster than the tokenizer.
 */
export function byWords(countWord: (word: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  const remembered = (word: string) => {
    const count = countWord(word);
    if (known.size >= maxKnownWords) known.clear();
    known.set(word, count);
    return count;
  };
  return (text) => {
    let total = 0;
    for (const word of text.match(O200K_TOKEN_SPLIT_REGEX) ?? []) {
      total += word.length > maxKnownWord ? countWord(word) : (known.get(word) ?? remembered(word));
    }
    return total;
  };
}

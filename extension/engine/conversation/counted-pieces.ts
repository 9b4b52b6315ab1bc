import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { beyondAscii, endOfAsciiWord, textEnd } from './ascii-words';
import { type TokenTable, tokensIn } from './token-table';
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
  return Math.round(shortRuns(chunk).reduce((total, piece) => total + countPiece(piece), 0));
}

const spaceCode = 0x20;

/** A run of `maxRun` contains a whole block of this size at a multiple of it. */
const block = maxRun / 2;

/** Splits a text wherever a run of letters or of white space gets too long. */
function shortRuns(text: string): string[] {
  return hasUniformBlock(text) ? cutRuns(text) : [text];
}

/** Ends with the first blank between two words of each block, so it looks at few characters of natural text. */
function hasUniformBlock(text: string): boolean {
  for (let start = 0; start + block <= text.length; start += block) {
    const inSpace = isSpace(text, start);
    let index = start + 1;
    while (index < start + block && isSpace(text, index) === inSpace) index += 1;
    if (index === start + block) return true;
  }
  return false;
}

function isSpace(text: string, index: number): boolean {
  return text.charCodeAt(index) <= spaceCode;
}

/** A regular expression for this would take longer than the tokenizer itself. */
function cutRuns(text: string): string[] {
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

/** Room for any text in UTF-8, and for the end. */
const maxBytes = 3 * maxCountedLength + 1;

const anyWord = new RegExp(O200K_TOKEN_SPLIT_REGEX.source, 'uy');

/**
 * Counts a text of at most `maxCountedLength` word by word, as `o200k_base` splits it: tokens never cross these borders. Most words are
 * one token; the others repeat, so each is counted once and then looked up. `ofWord` values a word by its number of tokens.
 */
export function byWords(table: TokenTable, ofWord = (tokens: number) => tokens): (text: string) => number {
  const known = new Map<string, number>();
  const encoder = new TextEncoder();
  const codes = new Uint8Array(maxBytes);
  const ofOneToken = ofWord(1);
  const counted = (word: string) => ofWord(tokensIn(encoder.encode(word), table));
  const fill = (text: string) => {
    if (encoder.encodeInto(text, codes).written > text.length) fillOneByOne(text);
    codes[text.length] = textEnd;
  };
  const fillOneByOne = (text: string) => {
    for (let index = 0; index < text.length; index += 1) codes[index] = Math.min(text.charCodeAt(index), beyondAscii);
  };
  const remembered = (word: string) => {
    const count = counted(word);
    if (known.size >= maxKnownWords) known.clear();
    known.set(word, count);
    return count;
  };
  return (text) => {
    fill(text);
    let total = 0;
    for (let start = 0, end = 0; start < text.length; start = end) {
      end = endOfAsciiWord(codes, start);
      if (end === start + 1 || (end > 0 && table.find(codes, start, end) > 0)) {
        total += ofOneToken;
        continue;
      }
      if (end === 0) {
        anyWord.lastIndex = start;
        anyWord.test(text);
        end = anyWord.lastIndex;
      }
      const word = text.slice(start, end);
      total += word.length > maxKnownWord ? counted(word) : (known.get(word) ?? remembered(word));
    }
    return total;
  };
}

import { maxCountedLength } from './tokens';

/**
 * Maximum length of a run of letters or of white space. Such a run is no natural text, and merging it takes quadratic
 * time.
 */
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

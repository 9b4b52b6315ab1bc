/* The words of a text as `o200k_base` splits it, for characters in ASCII: much faster than its regular expression. */

/** Stands for a character beyond ASCII. */
export const beyondAscii = 0x80;
/** Must follow the last character of a text. */
export const textEnd = 0xff;

const kinds = { other: 0, upper: 1, lower: 2, digit: 3, space: 4, newline: 5, beyond: 6, end: 7 } as const;

const kindOfCode = Uint8Array.from({ length: 256 }, (_, code) => {
  if (code > 0x7f) return code === textEnd ? kinds.end : kinds.beyond;
  const character = String.fromCharCode(code);
  if (/[A-Z]/.test(character)) return kinds.upper;
  if (/[a-z]/.test(character)) return kinds.lower;
  if (/\d/.test(character)) return kinds.digit;
  if (/[\r\n]/.test(character)) return kinds.newline;
  return /\s/.test(character) ? kinds.space : kinds.other;
});

const spaceCode = 0x20;
const apostrophe = 0x27;
const slash = 0x2f;
const maxDigits = 3;

/** The end of the word that begins at `start`; 0 if characters beyond ASCII may belong to it. */
export function endOfAsciiWord(codes: Uint8Array, start: number): number {
  const first = kindAt(codes, start);
  if (first === kinds.beyond) return 0;
  if (first === kinds.upper || first === kinds.lower) return endOfLetters(codes, start);
  if (first === kinds.digit) return endOfDigits(codes, start);
  const second = kindAt(codes, start + 1);
  if (second === kinds.beyond) return 0;
  // Any character but a line break belongs to the letters that follow it.
  if ((second === kinds.upper || second === kinds.lower) && first !== kinds.newline)
    return endOfLetters(codes, start + 1);
  if (first === kinds.other) return endOfOthers(codes, start);
  if (second === kinds.other && codes[start] === spaceCode) return endOfOthers(codes, start + 1);
  return endOfSpaces(codes, start);
}

function kindAt(codes: Uint8Array, index: number): number {
  return kindOfCode[codes[index] ?? textEnd] ?? kinds.end;
}

function endOfLetters(codes: Uint8Array, start: number): number {
  let end = start;
  while (kindAt(codes, end) === kinds.upper) end += 1;
  while (kindAt(codes, end) === kinds.lower) end += 1;
  if (kindAt(codes, end) === kinds.beyond) return 0;
  return codes[end] === apostrophe ? end + lengthOfContraction(codes, end) : end;
}

const lowerCase = 0x20;
const [d, e, l, m, r, s, t, v] = new TextEncoder().encode('delmrstv');

/** The length of `'s`, `'ve` and so on, with the apostrophe; 0 if it is not the beginning of one. */
function lengthOfContraction(codes: Uint8Array, start: number): number {
  const one = (codes[start + 1] ?? 0) | lowerCase;
  if (one === s || one === d || one === m || one === t) return 2;
  const two = (codes[start + 2] ?? 0) | lowerCase;
  return (one === l && two === l) || ((one === v || one === r) && two === e) ? 3 : 0;
}

function endOfDigits(codes: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < start + maxDigits && kindAt(codes, end) === kinds.digit) end += 1;
  return end < start + maxDigits && kindAt(codes, end) === kinds.beyond ? 0 : end;
}

function endOfOthers(codes: Uint8Array, start: number): number {
  let end = start;
  while (kindAt(codes, end) === kinds.other) end += 1;
  if (kindAt(codes, end) === kinds.beyond) return 0;
  while (kindAt(codes, end) === kinds.newline || codes[end] === slash) end += 1;
  return end;
}

/** Up to the last line break; without one, all but the last space, which belongs to the next word. */
function endOfSpaces(codes: Uint8Array, start: number): number {
  let end = start;
  let afterNewline = start;
  for (let kind = kindAt(codes, end); kind === kinds.space || kind === kinds.newline; kind = kindAt(codes, end)) {
    end += 1;
    if (kind === kinds.newline) afterNewline = end;
  }
  const next = kindAt(codes, end);
  if (next === kinds.beyond) return 0;
  if (afterNewline > start) return afterNewline;
  return next === kinds.end || end === start + 1 ? end : end - 1;
}

import type { Signs } from './task';

/** Whether a text says what the signs tell of. See `taskSchema`: all groups in one place. Time linear in the text. */
export function tells(text: string, signs: Signs): boolean {
  return placesOf(text).some((place) => isToldIn(place, signs));
}

/** The same of something that can be taken back: a place that says so does not tell it. */
export function tellsAsHolding(text: string, signs: Signs): boolean {
  return placesOf(text).some((place) => !denial.test(place) && isToldIn(place, signs));
}

/** Says that something is over. */
const denial =
  /\b(?:(?:no longer|not|n't)(?: \w+)? (?:true|holds?|appl(?:y|ies|icable)|valid|required|in force)|withdr(?:ew|awn)|waived?|retired?|revoked?|obsolete|any ?more|g(?:a|i)ve(?:n)? up on|abandoned|lifted|okayed|outdated|out of date|(?:been|was|were|as|is|are) dropped|ended with|can be ignored|may be ignored)\b/i;

/** Whether this one place, a sentence or two, meets every group. */
function isToldIn(place: string, signs: Signs): boolean {
  const folded = fold(place);
  return signs.every((group) => group.some((sign) => holdsWords(folded, fold(sign))));
}

/** A place is a line, and within a line that is longer than a few sentences, two sentences that follow each other. */
function placesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.length <= longestPlace) return [line];
    const sentences = line.split(/(?<=[.!?;])\s+/);
    return sentences.map((sentence, index) => `${sentence} ${sentences[index + 1] ?? ''}`);
  });
}

/** Two long sentences. In UTF-16 units. */
const longestPlace = 300;

function fold(text: string): string {
  return text.toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ');
}

const wordCharacter = /[\p{L}\p{N}]/u;

/** A sign begins and ends where words do: `art` is not told by `start`. */
function holdsWords(text: string, sign: string): boolean {
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    if (!joins(text[at - 1], sign[0]) && !joins(sign.at(-1), text[at + sign.length])) return true;
  }
  return false;
}

function joins(before: string | undefined, after: string | undefined): boolean {
  return wordCharacter.test(before ?? ' ') && wordCharacter.test(after ?? ' ');
}

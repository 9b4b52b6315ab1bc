import type { Signs } from './task';

/** Whether one place of the text matches every group of signs; see `signs` in task.ts. Time linear in the text. */
export function matchesSigns(text: string, signs: Signs): boolean {
  return placesOf(text).some((place) => matchesEveryGroup(place, signs));
}

/** Like `matchesSigns`, but ignores places that say the thing was withdrawn. */
export function matchesSignsInForce(text: string, signs: Signs): boolean {
  return placesOf(text).some((place) => !withdrawal.test(place) && matchesEveryGroup(place, signs));
}

/** Says that something no longer applies. */
const withdrawal =
  /\b(?:(?:no longer|not|n't)(?: \w+)? (?:true|holds?|appl(?:y|ies|icable)|valid|required|in force)|withdr(?:ew|awn)|waived?|retired?|revoked?|obsolete|any ?more|g(?:a|i)ve(?:n)? up on|abandoned|lifted|okayed|outdated|out of date|(?:been|was|were|as|is|are) dropped|ended with|can be ignored|may be ignored)\b/i;

/** `place`: one or two sentences. */
function matchesEveryGroup(place: string, signs: Signs): boolean {
  const folded = normalized(place);
  return signs.every((group) => group.some((sign) => containsWords(folded, normalized(sign))));
}

/** A place is a line; in a long line, each pair of consecutive sentences. */
function placesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    if (line.length <= maxPlaceLength) return [line];
    const sentences = line.split(/(?<=[.!?;])\s+/);
    return sentences.map((sentence, index) => `${sentence} ${sentences[index + 1] ?? ''}`);
  });
}

/** In UTF-16 units: about two long sentences. */
const maxPlaceLength = 300;

function normalized(text: string): string {
  return text.toLowerCase().replace(/[’‘]/g, "'").replace(/\s+/g, ' ');
}

const wordCharacter = /[\p{L}\p{N}]/u;

/** Matches whole words only: `art` does not match `start`. */
function containsWords(text: string, sign: string): boolean {
  for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
    if (!isInsideWord(text[at - 1], sign[0]) && !isInsideWord(sign.at(-1), text[at + sign.length])) return true;
  }
  return false;
}

function isInsideWord(before: string | undefined, after: string | undefined): boolean {
  return wordCharacter.test(before ?? ' ') && wordCharacter.test(after ?? ' ');
}

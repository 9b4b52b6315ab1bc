import { oncePerText } from '../conversation/once-per';
import { contentWords } from './content-words';

/** What a sentence allows, forbids and limits, judged by its words. */
export interface Statement {
  /** Its content words. */
  readonly words: ReadonlySet<string>;
  /** Content words in a clause with a negation. */
  readonly negated: ReadonlySet<string>;
  readonly isNegated: boolean;
  /** Words directly after "not" or "never". */
  readonly denied: ReadonlySet<string>;
  /** Standalone numbers, without thousands separators. */
  readonly numbers: ReadonlySet<string>;
  /** For example `upper 200` for "at most 200". */
  readonly bounds: ReadonlySet<string>;
}

/** Linear in the length of the text. */
export const statementIn = oncePerText((text: string): Statement => {
  const plain = withDigits(text.replace(/’/g, "'").replace(/^[ \t]*(?:(?:[-*+•>]|\d+[.)]|#{1,6})[ \t]+)+/gm, ''));
  const clauses = plain.split(clauseEnd);
  const negated = clauses.filter(isNegated);
  return {
    words: new Set(clauses.flatMap(contentWords)),
    negated: new Set(negated.flatMap(contentWords)),
    isNegated: negated.length > 0,
    denied: new Set(clauses.flatMap(deniedIn)),
    numbers: new Set([...plain.matchAll(number)].map(([found]) => digitsOf(found))),
    bounds: new Set(clauses.flatMap(boundsIn)),
  };
});

/**
 * Whether a place can mean what was said, given shared words: it has every number and limit, and the same negations.
 * False when in doubt.
 */
export function agrees(original: Statement, place: Statement): boolean {
  return (
    hasAll(place.numbers, original.numbers) &&
    hasAll(place.bounds, original.bounds) &&
    sharesNegations(original, place) &&
    !addsNegations(original, place)
  );
}

function hasAll(all: ReadonlySet<string>, some: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}

/** At least half of the shared negated words are negated in the place too. */
function sharesNegations(original: Statement, place: Statement): boolean {
  if (!original.isNegated) return true;
  const shared = [...original.negated].filter((word) => place.words.has(word));
  const both = shared.filter((word) => place.negated.has(word)).length;
  return both > 0 && both * 2 >= shared.length;
}

/** Most of the shared affirmed words are negated in the place, or one directly follows a negation there. */
function addsNegations(original: Statement, place: Statement): boolean {
  const affirmed = [...original.words].filter((word) => !original.negated.has(word));
  if (affirmed.some((word) => place.denied.has(word))) return true;
  const shared = affirmed.filter((word) => place.words.has(word));
  return shared.filter((word) => place.negated.has(word)).length * 2 > shared.length;
}

function isNegated(clause: string): boolean {
  return negation.test(clause.replace(atLeast, ' '));
}

function deniedIn(clause: string): string[] {
  const [, ...behind] = clause.split(denying);
  return behind.flatMap((words) => contentWords(words).slice(0, 1));
}

const auxiliary =
  'do|does|did|must|shall|should|can|could|may|might|will|would|is|are|was|were|be|been|am|has|have|had|ought|need|i|we|you|it|they|he|she';

/** "Tabs, not spaces" and "tabs instead of spaces" negate only their second half; "must not touch" is one clause. */
const clauseEnd = new RegExp(
  [
    /[;:!?。！？；：，、()[\]\n—–|]|[.,](?!\d)/u.source,
    /\s(?=(?:and|but|or|while|though|although|because|so|und|aber|oder|et|mais|y|pero|и|но)\s)/u.source,
    /\s(?=(?:instead of|rather than|statt|anstatt)\s)/u.source,
    `(?<!\\b(?:${auxiliary}|[a-z]+n't|not))\\s(?=not\\s)`,
  ].join('|'),
  'iu',
);

const denying =
  /(?<![\p{L}\p{N}_])(?:not|never|no|without|cannot|nicht|nie|niemals|[\p{L}]+n't|dont|cant)(?![\p{L}\p{N}_])/iu;

/** Words that negate or forbid, including "at most" and "untouched". */
const negation = new RegExp(
  [
    /(?<![\p{L}\p{N}_])(?:not|no|none|nothing|nobody|never|neither|nor|without|cannot|except|unless|only|[\p{L}]+n't|dont|doesnt|didnt|cant|wont|mustnt|shouldnt|avoid\p{L}*|forbid\p{L}*|forbad\p{L}*|prohibit\p{L}*|refus\p{L}*|skip\p{L}*|instead of|rather than|at most|up to|maximum|max|off[- ]limits|read[- ]only|un(?:touched|changed|modified|altered|edited|affected)|intact|alone)(?![\p{L}\p{N}_])/u,
    /(?<![\p{L}\p{N}_])(?:under|below|within|less than|fewer than)(?=\s+[~$€]?\d)|[<≤](?=\s*\d)/u,
    /(?<!\p{L})(?:nicht|nie|niemals|kein(?:e[nmrs]?)?|ohne|höchstens|nur|statt|anstatt|unverändert|unberührt)(?!\p{L})/u,
    /(?<!\p{L})(?:ne|pas|jamais|sans|aucune?|seulement|uniquement|nunca|jamás|sin|ningun[ao]?|ningún|não|sem|apenas|non|mai|senza|не|нет|нельзя|никогда|без|только)(?!\p{L})/u,
    /[不没沒無无勿别未]|禁止|只|ない|ません|なく|ず(?!\p{L})|だけ|않|마세요|말고|금지|ไม่|ห้าม/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'iu',
);

const atLeast = /(?<!\p{L})(?:no|not)\s+(?:less|fewer)\s+than(?!\p{L})/giu;
const limit =
  /(?<!\p{L})(at most|up to|under|below|within|less than|fewer than|maximum|max|höchstens|at least|more than|over|above|minimum|min|mindestens)(?:\s+of)?\s+[~$€]?(\d[\d.,]*)/giu;
const sign = /([<≤>≥])=?\s*(\d[\d.,]*)/g;
const upperLimit = /^(?:at most|up to|under|below|within|less than|fewer than|maximum|max|höchstens|<|≤)$/i;

/** "Never more than 200" is "at most 200". */
function boundsIn(clause: string): string[] {
  const isDenied = denying.test(clause);
  return [...clause.matchAll(limit), ...clause.matchAll(sign)].map(([, words = '', value = '']) => {
    const isComparison = /than$|^(?:over|above|under|below)$/i.test(words);
    const isUpper = upperLimit.test(words) !== (isDenied && isComparison);
    return `${isUpper ? 'upper' : 'lower'} ${digitsOf(value)}`;
  });
}

/** Excludes digits within a name or a path. A unit may follow. */
const number = /(?<![\p{L}\p{N}_]|[\p{L}\p{N}_]\.|[\p{L}_][/-]|\d,)\d+(?:[.,]\d+)*(?![\p{N}_]|\p{L}{4}|\/\p{L})/gu;

/** For comparison: without thousands separators and trailing punctuation. */
export function digitsOf(found: string): string {
  return found.replace(/[.,]+$/, '').replace(/,(?=\d{3}(?!\d))/g, '');
}

const numberWords = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const numberWord = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${numberWords.join('|')})(?![\\p{L}\\p{N}_-])`, 'giu');

function withDigits(text: string): string {
  return text.replace(numberWord, (word) => `${numberWords.indexOf(word.toLowerCase()) + 2}`);
}

import { tellingWords } from './telling-words';

/** What a sentence allows, forbids and limits, as far as its words tell. */
export interface Statement {
  /** Its telling words. */
  readonly words: ReadonlySet<string>;
  /** Those that stand in a clause with a “not”, or the like. */
  readonly negated: ReadonlySet<string>;
  readonly isNegated: boolean;
  /** What stands right behind a “not” or “never”. */
  readonly denied: ReadonlySet<string>;
  /** Each number that stands by itself, without the marks between thousands. */
  readonly numbers: ReadonlySet<string>;
  /** As `upper 200` for “at most 200”. */
  readonly bounds: ReadonlySet<string>;
}

/** Time linear in the text. */
export function statementIn(text: string): Statement {
  const plain = inDigits(text.replace(/’/g, "'").replace(/^[ \t]*(?:(?:[-*+•>]|\d+[.)]|#{1,6})[ \t]+)+/gm, ''));
  const clauses = plain.split(clauseEnd);
  const negated = clauses.filter(isNegated);
  return {
    words: new Set(clauses.flatMap(tellingWords)),
    negated: new Set(negated.flatMap(tellingWords)),
    isNegated: negated.length > 0,
    denied: new Set(clauses.flatMap(deniedIn)),
    numbers: new Set([...plain.matchAll(number)].map(([found]) => digitsOf(found))),
    bounds: new Set(clauses.flatMap(boundsIn)),
  };
}

/**
 * Whether a place can mean what was said, given the words that they share: every number and limit is there, what was
 * denied is denied there, and what was not is not. When in doubt it cannot.
 */
export function agrees(said: Statement, place: Statement): boolean {
  return (
    hasAll(place.numbers, said.numbers) &&
    hasAll(place.bounds, said.bounds) &&
    deniesTheSame(said, place) &&
    !deniesMore(said, place)
  );
}

function hasAll(all: ReadonlySet<string>, some: ReadonlySet<string>): boolean {
  return [...some].every((one) => all.has(one));
}

/** Half of the words that were said with a “not” stand with one here, too. */
function deniesTheSame(said: Statement, place: Statement): boolean {
  if (!said.isNegated) return true;
  const shared = [...said.negated].filter((word) => place.words.has(word));
  const both = shared.filter((word) => place.negated.has(word)).length;
  return both > 0 && both * 2 >= shared.length;
}

/** Most of what was said without a “not” stands with one here, or one of its words right behind it. */
function deniesMore(said: Statement, place: Statement): boolean {
  const affirmed = [...said.words].filter((word) => !said.negated.has(word));
  if (affirmed.some((word) => place.denied.has(word))) return true;
  const shared = affirmed.filter((word) => place.words.has(word));
  return shared.filter((word) => place.negated.has(word)).length * 2 > shared.length;
}

function isNegated(clause: string): boolean {
  return negation.test(clause.replace(atLeast, ' '));
}

function deniedIn(clause: string): string[] {
  const [, ...behind] = clause.split(denying);
  return behind.flatMap((words) => tellingWords(words).slice(0, 1));
}

const auxiliary =
  'do|does|did|must|shall|should|can|could|may|might|will|would|is|are|was|were|be|been|am|has|have|had|ought|need|i|we|you|it|they|he|she';

/** “Tabs, not spaces” and “tabs instead of spaces” deny their second half alone; “must not touch” is one clause. */
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

/** Tells that something is not, or shall not be: “at most” and “untouched” do so, too. */
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

/** “Never more than 200” is “at most 200”. */
function boundsIn(clause: string): string[] {
  const isDenied = denying.test(clause);
  return [...clause.matchAll(limit), ...clause.matchAll(sign)].map(([, words = '', value = '']) => {
    const isComparison = /than$|^(?:over|above|under|below)$/i.test(words);
    const isUpper = upperLimit.test(words) !== (isDenied && isComparison);
    return `${isUpper ? 'upper' : 'lower'} ${digitsOf(value)}`;
  });
}

/** Not the digits within a name or a path; a unit may follow. */
const number = /(?<![\p{L}\p{N}_]|[\p{L}\p{N}_]\.|[\p{L}_][/-]|\d,)\d+(?:[.,]\d+)*(?![\p{N}_]|\p{L}{4}|\/\p{L})/gu;

/** As it compares: without the marks between thousands, or behind it. */
export function digitsOf(found: string): string {
  return found.replace(/[.,]+$/, '').replace(/,(?=\d{3}(?!\d))/g, '');
}

const numberWords = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const numberWord = new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${numberWords.join('|')})(?![\\p{L}\\p{N}_-])`, 'giu');

function inDigits(text: string): string {
  return text.replace(numberWord, (word) => `${numberWords.indexOf(word.toLowerCase()) + 2}`);
}

/** The commonest words of some languages that are not also English words. */
const commonWords: readonly ReadonlySet<string>[] = [
  'der die das und ist nicht ich ein eine den dem mit auf für dass sich werden wurde zu von',
  'le la les et des est une du dans pour que qui pas sur avec ne sont été un il',
  'el los las del una por con para que se está fue como más la en un',
  'os um uma da dos das não para com por foi mais está que',
  'il lo gli della di che non per con una sono è stato nel la un',
  'de het een en van niet ik dat op met zijn wordt voor werd',
  'nie się na że w jest oraz został przez są',
].map((words) => new Set(words.split(' ')));

/** Scripts of languages that are not written in Latin letters. */
const scripts = [
  /\p{sc=Cyrillic}/gu,
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/gu,
  /\p{sc=Hangul}/gu,
  /\p{sc=Arabic}/gu,
];

/** With fewer words, or letters of a script, a language cannot be recognised. */
const leastWords = 25;
const leastLetters = 25;

/**
 * Minimum share of a language's commonest words in a text. Below that of prose, because lists contain names and code.
 */
const ofOwn = 0.12;
/** Minimum number of distinct words: a repeated name counts once. */
const leastDistinct = 4;

/** Maximum share of another language's commonest words, for names and words that two languages share. */
const ofOther = 0.03;

/** The commonest words of English that the other languages do not have. */
const english = new Set('the and with this that have from were which because been their would'.split(' '));

/** Minimum share for English, far above that of names and code. */
const ofEnglish = 0.06;

/**
 * Whether a text is in a language that does not occur in the others, by common words and by scripts. False if unclear.
 * English is the language of code and prompts, so it only counts if the others are clearly in another language.
 */
export function isForeignTo(text: string, others: readonly string[]): boolean {
  return hasForeignScript(text, others) || hasForeignWords(text, others) || isForeignEnglish(text, others);
}

/**
 * Whether a text may be a translation of one of the others, so that their words cannot be compared: most of its letters are in another
 * script than most of theirs. Names and code in Latin letters occur in texts of every language. `others`: their scripts.
 */
export function isInOtherScript(text: string, others: Scripts): boolean {
  const own = scriptOf(text);
  return [...others].some((other) => own !== other);
}

/** The scripts of most letters, each as `scriptOf` gives it. */
type Scripts = ReadonlySet<number>;

/** The scripts of those texts that have enough letters. */
export function scriptsOf(texts: readonly string[]): Scripts {
  return new Set(texts.filter((text) => lettersOf(text, /\p{L}/gu) >= leastLetters).map(scriptOf));
}

/** The script of most letters, by its place in `scripts`; -1 for Latin and the others. */
function scriptOf(text: string): number {
  const letters = lettersOf(text, /\p{L}/gu);
  return scripts.findIndex((script) => lettersOf(text, script) * 2 > letters);
}

function isForeignEnglish(text: string, others: readonly string[]): boolean {
  const words = wordsOf(text);
  if (words.length < leastWords || shareOf(words, english) < ofEnglish) return false;
  return others.some(isClearlyOther) && others.every((other) => shareOf(wordsOf(other), english) < ofOther);
}

function isClearlyOther(text: string): boolean {
  if (scripts.some((script) => lettersOf(text, script) >= leastLetters)) return true;
  const words = wordsOf(text);
  return words.length >= leastWords && commonWords.some((common) => shareOf(words, common) >= ofOwn);
}

function hasForeignScript(text: string, others: readonly string[]): boolean {
  return scripts.some(
    (script) =>
      lettersOf(text, script) >= leastLetters &&
      lettersOf(text, script) * 2 > lettersOf(text, /\p{L}/gu) &&
      others.every((other) => lettersOf(other, script) < leastLetters),
  );
}

function lettersOf(text: string, script: RegExp): number {
  return text.match(script)?.length ?? 0;
}

function hasForeignWords(text: string, others: readonly string[]): boolean {
  const words = wordsOf(text);
  if (words.length < leastWords) return false;
  const shares = commonWords.map((common) => shareOf(words, common));
  const highest = Math.max(...shares);
  const common = commonWords[shares.indexOf(highest)];
  if (common === undefined || highest < ofOwn) return false;
  if (new Set(words.filter((word) => common.has(word))).size < leastDistinct) return false;
  return others.every((other) => shareOf(wordsOf(other), common) < ofOther);
}

function shareOf(words: readonly string[], common: ReadonlySet<string>): number {
  return words.filter((word) => common.has(word)).length / Math.max(1, words.length);
}

/** Words of two letters and more, without code, paths, ids and numbers. */
function wordsOf(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`|\S*[/\\_=<>{}()[\]|:;.]\S+/g, ' ');
  return prose.toLowerCase().match(/(?<![\p{L}\p{N}-])\p{L}{2,}(?![\p{L}\p{N}-])/gu) ?? [];
}

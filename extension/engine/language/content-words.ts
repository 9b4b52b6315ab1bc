import { oncePerText } from '../conversation/once-per';
/**
 * The words of a text, in lower case and in order. In scripts without spaces, each pair of adjacent characters is a
 * word. Linear in the length of the text.
 */
export function wordsOf(text: string): string[] {
  return [...wordsIn(text)];
}

/** The same as a generator, for callers that may stop early. */
export function* wordsIn(text: string): Generator<string> {
  for (const [found] of text.toLowerCase().matchAll(wordRun)) {
    if (unspaced.test(found)) yield* pairsWithin(found);
    else yield found;
  }
}

const wordRun = /[\p{L}\p{M}\p{N}]+/gu;
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u;
const stretches =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{M}]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{M}]+/gu;

function pairsWithin(mixed: string): string[] {
  return (mixed.match(stretches) ?? []).flatMap((stretch) => {
    if (!unspaced.test(stretch)) return stretch;
    const characters = [...stretch];
    return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  });
}

/** The content words of a text: without stop words and endings, each once. */
export const contentWords = oncePerText((text: string): readonly string[] => {
  return [...new Set(wordsOf(withoutFolders(text)).filter(isContentWord).map(stem))];
});

/** Reduces paths to their last name; folders repeat all over a session. */
function withoutFolders(text: string): string {
  return text.replace(/[\p{L}\p{N}_.@~/+-]+/gu, (name) => name.slice(name.lastIndexOf('/') + 1));
}

const minWordLength = 3;

function isContentWord(word: string): boolean {
  return (word.length >= minWordLength && !stopWords.has(word)) || unspaced.test(word);
}

/** Stop words, and remainders of words like "don't". */
const stopWords = new Set(
  (
    'about after again all also and any are because been before being but can cannot could did does doing done don down ' +
    'each else even every for from get gets give going got had has have here how however into isn its just let like ' +
    'look made make makes many may maybe might more most much need needs not now off okay once one only other our out ' +
    'over own please put same see shall should since some still such sure take than that the their them then there ' +
    'these they thing things this those through too two under until upon use used uses using very want was way well ' +
    'were what when where which while who why will with without would yes yet you your'
  ).split(' '),
);

const endings = ['ations', 'ation', 'ings', 'ions', 'ing', 'ion', 'ers', 'ed', 'er', 'es', 'ly', 's', 'e'];

/** A rough stem that two forms of an English word share. Other scripts stay unchanged. */
function stem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= minWordLength);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

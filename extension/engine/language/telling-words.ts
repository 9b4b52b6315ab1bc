/**
 * The words of a text, in lower case and in order. Where a script writes no spaces, two characters that stand side by
 * side are a word. Time linear in the text.
 */
export function wordsOf(text: string): string[] {
  return [...wordsIn(text)];
}

/** The same, one at a time, for whoever may have enough of them soon. */
export function* wordsIn(text: string): Generator<string> {
  for (const [found] of text.toLowerCase().matchAll(run)) {
    if (unspaced.test(found)) yield* pairsWithin(found);
    else yield found;
  }
}

const run = /[\p{L}\p{M}\p{N}]+/gu;
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

/** What a text is about: its words without those that every text has, each once, without their endings. */
export function tellingWords(text: string): string[] {
  return [...new Set(wordsOf(withoutFolders(text)).filter(isTelling).map(stem))];
}

/** A path tells by its last name; the folders before it are the same all over a session. */
function withoutFolders(text: string): string {
  return text.replace(/[\p{L}\p{N}_.@~/+-]+/gu, (name) => name.slice(name.lastIndexOf('/') + 1));
}

const shortest = 3;

function isTelling(word: string): boolean {
  return (word.length >= shortest && !common.has(word)) || unspaced.test(word);
}

/** Words that every text has, and what is left of words like “don’t”. */
const common = new Set(
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

/** As much of a stem as two forms of one English word share; other scripts stay as they are. */
function stem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word;
  const ending = endings.find((end) => word.endsWith(end) && word.length - end.length >= shortest);
  return ending === undefined ? word : word.slice(0, -ending.length);
}

import { type Entry, inputText, type Part, type ToolCallPart } from '../conversation/entry';
import { wordsOf } from '../language/content-words';
import { namesIn } from '../language/names';
import { TextIndex } from '../language/paraphrase';

export type Fate = 'kept' | 'paraphrased' | 'dropped';

export interface EntryFate {
  readonly entryId: string;
  readonly fate: Fate;
}

/** A piece says something of its own from so many words on that are no names, and so many UTF-16 units. */
const leastSaid = { words: 3, length: 10 };

/** What is longer than this is compared by all of its words at once, not sentence by sentence. In UTF-16 units. */
const longestBySentence = 4000;

/** A text of that length says the same where it has this share of the telling words. */
const leastSharedOfLong = 0.6;

/** A line that stands in more results than this tells of none of them. */
const mostResults = 2;

/** A summarizer cuts long arguments of calls; what a call begins with tells which one it was. In UTF-16 units. */
const beginningOfInput = 120;

/**
 * What a block says of each entry that it replaced, told without a model. `kept`: a whole sentence or line of it stands
 * in the block verbatim, and it is more than names. `paraphrased`: one place has most of its telling words. One
 * sentence is compared with so many lines at most, so that the time is linear in the texts.
 */
export function entryFates(blockText: string, entries: readonly Entry[]): EntryFate[] {
  const index = new TextIndex(withoutTag(blockText));
  const kept = entries.map((entry) => keptPieces(entry, index));
  const common = commonPieces(entries, kept);
  return entries.map((entry, at) => {
    const pieces = kept[at] ?? [];
    const own = entry.role === 'tool' ? pieces.filter((piece) => !common.has(piece)) : pieces;
    return { entryId: entry.id, fate: own.length > 0 ? 'kept' : fateOfWords(entry, index, common) };
  });
}

/** The tag says nothing of what lies beneath. */
function withoutTag(text: string): string {
  return text.replace(/^\[[A-Z ]+\]\n/, '');
}

/** The pieces of an entry that stand in the block. */
function keptPieces({ parts }: Entry, index: TextIndex): string[] {
  return parts
    .flatMap(textsOf)
    .flatMap(piecesOf)
    .filter((piece) => index.contains(piece) && saysMoreThanNames(piece));
}

/** What many results begin with, like the banner of a script, is no trace of any one of them. */
function commonPieces(entries: readonly Entry[], kept: readonly (readonly string[])[]): ReadonlySet<string> {
  const results = new Map<string, number>();
  for (const [at, { role }] of entries.entries()) {
    if (role !== 'tool') continue;
    for (const piece of new Set(kept[at])) results.set(piece, (results.get(piece) ?? 0) + 1);
  }
  return new Set([...results].filter(([, count]) => count > mostResults).map(([piece]) => piece));
}

/** What of a part could stand in a block. */
function textsOf(part: Part): string[] {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'tool_result':
      return [part.text];
    case 'tool_call':
      return stringsIn(part.input);
    case 'image':
    case 'tool_definitions':
      return [];
  }
}

function stringsIn(input: unknown): string[] {
  if (typeof input === 'string') return [input];
  if (typeof input !== 'object' || input === null) return [];
  return Object.values(input).flatMap((value) => (typeof value === 'object' ? inputText(value) : stringsIn(value)));
}

function fateOfWords({ parts }: Entry, index: TextIndex, common: ReadonlySet<string>): Fate {
  return parts.some((part) => isParaphrased(part, index, common)) ? 'paraphrased' : 'dropped';
}

/** Of a longer line, a sentence alone says enough to be looked for. In UTF-16 units. */
const longestWhole = 200;

const listMark = /^(?:[-*+•>]\s+|\d+[.)]\s+|#{1,6}\s+)+/;
const sentenceEnd = /(?<=[.!?])\s+(?=["'`([\p{Lu}\p{N}])|(?<=[。！？])/u;

/** Lines, and the sentences within them. */
function piecesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => {
    const plain = line.trim().replace(listMark, '');
    const sentences = plain.split(sentenceEnd);
    return sentences.length > 1 && plain.length <= longestWhole ? [plain, ...sentences] : sentences;
  });
}

function saysMoreThanNames(piece: string): boolean {
  if (piece.length < leastSaid.length) return false;
  const names = new Set(namesIn(piece).flatMap(({ text }) => wordsOf(text)));
  return wordsOf(piece).filter((word) => !names.has(word) && /\p{L}/u.test(word)).length >= leastSaid.words;
}

function isParaphrased(part: Part, index: TextIndex, common: ReadonlySet<string>): boolean {
  if (part.type === 'tool_call') return isTold(part, index);
  const said = textsOf(part).join('\n');
  if (said.length > longestBySentence) return index.overlap(said) >= leastSharedOfLong;
  if (part.type !== 'tool_result') return mostSentencesAreThere(said, index);
  const own = said.split('\n').filter((line) => !common.has(line.trim().replace(listMark, '')));
  return index.mentions(own.join('\n'));
}

/** A file alone does not tell of a call: what was done to it has to stand in the same place. */
function isTold({ name, input }: ToolCallPart, index: TextIndex): boolean {
  return index.mentions(`${name} ${inputText(input).slice(0, beginningOfInput)}`);
}

function mostSentencesAreThere(said: string, index: TextIndex): boolean {
  const sentences = said.split('\n').flatMap((line) => line.split(sentenceEnd));
  const lengthOf = (texts: readonly string[]) => texts.reduce((total, text) => total + text.trim().length, 0);
  const told = lengthOf(sentences.filter((sentence) => index.paraphrases(sentence)));
  return told > 0 && told * 2 >= lengthOf(sentences);
}

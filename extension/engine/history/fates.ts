import { type Entry, inputText, type Part, type ToolCallPart } from '../conversation/entry';
import { wordsOf } from '../language/content-words';
import { namesIn } from '../language/names';
import { TextIndex } from '../language/paraphrase';

export type Fate = 'kept' | 'paraphrased' | 'dropped';

export interface EntryFate {
  readonly entryId: string;
  readonly fate: Fate;
}

/** Minimum number of words that are no names, and of UTF-16 units, for a piece to be informative. */
const leastSaid = { words: 3, length: 10 };

/** Longer texts are compared by all of their words at once instead of by sentence. In UTF-16 units. */
const longestBySentence = 4000;

/** A long text counts as paraphrased if this share of its content words remains. */
const leastSharedOfLong = 0.6;

/** A line that is in more results than this identifies none of them. */
const maxResults = 2;

/** Summarizers shorten long arguments; the beginning of a call identifies it. In UTF-16 units. */
const beginningOfInput = 120;

/**
 * What a block says of each entry that it replaced, computed without a model. `kept`: a whole sentence or line of it is
 * in the block verbatim and is more than names. `paraphrased`: one place has most of its content words. The number of
 * compared lines is limited, so this takes time linear in the texts.
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

/** The tag says nothing about the entries. */
function withoutTag(text: string): string {
  return text.replace(/^\[[A-Z ]+\]\n/, '');
}

/** The pieces of an entry that are in the block. */
function keptPieces({ parts }: Entry, index: TextIndex): string[] {
  return parts
    .flatMap(textsOf)
    .flatMap(piecesOf)
    .filter((piece) => index.contains(piece) && saysMoreThanNames(piece));
}

/** A common beginning of many results, such as a script's banner, identifies none of them. */
function commonPieces(entries: readonly Entry[], kept: readonly (readonly string[])[]): ReadonlySet<string> {
  const results = new Map<string, number>();
  for (const [at, { role }] of entries.entries()) {
    if (role !== 'tool') continue;
    for (const piece of new Set(kept[at])) results.set(piece, (results.get(piece) ?? 0) + 1);
  }
  return new Set([...results].filter(([, count]) => count > maxResults).map(([piece]) => piece));
}

/** The pieces of a part that could be in a block. */
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

/** In UTF-16 units. In longer lines, single sentences are searched. */
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

/** A file name alone does not identify a call: the operation must be in the same place. */
function isTold({ name, input }: ToolCallPart, index: TextIndex): boolean {
  return index.mentions(`${name} ${inputText(input).slice(0, beginningOfInput)}`);
}

function mostSentencesAreThere(said: string, index: TextIndex): boolean {
  const sentences = said.split('\n').flatMap((line) => line.split(sentenceEnd));
  const lengthOf = (texts: readonly string[]) => texts.reduce((total, text) => total + text.trim().length, 0);
  const told = lengthOf(sentences.filter((sentence) => index.paraphrases(sentence)));
  return told > 0 && told * 2 >= lengthOf(sentences);
}

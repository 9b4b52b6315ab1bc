import type { AgentCompaction, Conversation } from '../../engine/conversation/conversation';
import { type Entry, isPrompt, type Part, textOf } from '../../engine/conversation/entry';
import { sameItems } from '../../engine/conversation/same-items';
import { type Author, type Piece, piecesOfMessage } from './pieces';

/** The author of a message according to an agent's records, apart from the text. */
export interface AuthorMarks {
  /** The records contain what a person typed, so such a message is at least partly the person's. */
  readonly namePerson?: true;
  /** The agent puts tags of its own around the person's words. */
  readonly haveFrames?: true;
}

/** The entries of a message that has several authors, by the message as its record has it. */
const knownPieces = new WeakMap<Entry, readonly Entry[]>();
const knownWhole = new WeakMap<Entry, Entry>();

/**
 * A conversation in which a message of the person holds only their words. What the agent put into the same message becomes
 * injected entries beside it. Costs as much as the new messages, and a list of references.
 */
export function splitByAuthor(conversation: Conversation, marks: AuthorMarks = {}): Conversation {
  const entries = apart(conversation.entries, marks);
  const agentContext = apart(conversation.agentContext, marks);
  if (entries === conversation.entries && agentContext === conversation.agentContext) return conversation;
  return { ...conversation, entries, agentContext, agentCompactions: compactions(conversation, marks) };
}

/** Reverses `splitByAuthor`: a message that was split by author is one entry again. */
export function rejoined(conversation: Conversation): Conversation {
  const joined = (list: readonly Entry[]) => {
    const wholes = list.map(wholeOf);
    return wholes.filter((entry, index) => entry !== wholes[index - 1]);
  };
  return { ...conversation, entries: joined(conversation.entries), agentContext: joined(conversation.agentContext) };
}

/** The message that an entry is a piece of, or the entry itself. */
export function wholeOf(entry: Entry): Entry {
  return knownWhole.get(entry) ?? entry;
}

/** The entries of a message as its record has it. */
export function piecesOfWhole(whole: Entry): readonly Entry[] {
  return knownPieces.get(whole) ?? [whole];
}

/** The words of the person in the parts of a message; empty if the agent wrote all of it. */
export function personText(parts: readonly Part[], marks: AuthorMarks = {}): string {
  return textOf(
    parts.flatMap((part) => sections(part, false, marks).flatMap((one) => (isPersons(one) ? one.parts : []))),
  );
}

/** Whether an agent wrote all of these texts. Pictures are the person's. */
export function isAgentsOnly(parts: readonly Part[]): boolean {
  return parts.length > 0 && parts.every((part) => sections(part, false).every((one) => !isPersons(one)));
}

/** Marks a message whose records show who wrote which part. */
export function splitMessage(whole: Entry, ofAgent: (part: Part) => boolean): Entry {
  const parts = whole.parts.map((part): Section => ({ author: ofAgent(part) ? 'passing' : 'person', parts: [part] }));
  knownPieces.set(whole, entriesOf(whole, grouped(parts)));
  return whole;
}

function apart(list: readonly Entry[], marks: AuthorMarks): readonly Entry[] {
  let isBeginning = true;
  let result: Entry[] | null = null;
  for (const [index, entry] of list.entries()) {
    isBeginning &&= entry.role !== 'assistant';
    const pieces = isPrompt(entry) ? piecesOf(entry, isBeginning, marks) : null;
    if (pieces !== null && pieces[0] !== entry) result ??= list.slice(0, index);
    if (pieces === null) result?.push(entry);
    else result?.push(...pieces);
  }
  return result ?? list;
}

function piecesOf(whole: Entry, isBeginning: boolean, marks: AuthorMarks): readonly Entry[] {
  const known = knownPieces.get(whole);
  if (known !== undefined) return known;
  const groups = grouped(whole.parts.flatMap((part) => sections(part, isBeginning, marks)));
  const pieces = marks.namePerson && !groups.some(isPersons) ? [whole] : entriesOf(whole, groups);
  knownPieces.set(whole, pieces);
  return pieces;
}

/** Parts of one author, next to each other in the message. */
interface Section {
  readonly author: Author;
  readonly parts: readonly Part[];
}

function sections(part: Part, isBeginning: boolean, { haveFrames }: AuthorMarks = {}): Section[] {
  if (part.type !== 'text') return [{ author: 'person', parts: [part] }];
  const pieces = piecesOfMessage(part.text, isBeginning);
  const words = haveFrames ? pieces.filter(({ author }) => author !== 'frame') : withFrames(pieces);
  if (words.length === 1 && words[0]?.text === part.text) return [{ author: words[0].author, parts: [part] }];
  return words.map(({ author, text }) => ({ author, parts: [{ ...part, text }] }));
}

/** Tags that a person typed are among their words. */
function withFrames(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const { author, text } of pieces) {
    const last = joined.at(-1);
    const own = author === 'frame' ? 'person' : author;
    if (last?.author === 'person' && own === 'person') joined[joined.length - 1] = { ...last, text: last.text + text };
    else joined.push({ author: own, text });
  }
  return joined;
}

function isPersons({ author, parts }: Section): boolean {
  return author === 'person' && parts.some((part) => part.type !== 'text' || part.text.trim() !== '');
}

/** Everything that the person wrote is one section, at the place of their first words. */
function grouped(all: readonly Section[]): Section[] {
  const groups: Section[] = [];
  let persons = -1;
  for (const section of all) {
    const place = section.author === 'person' ? persons : groups.length - 1;
    const before = groups[place];
    if (before?.author === section.author) {
      groups[place] = { author: section.author, parts: [...before.parts, ...section.parts] };
      continue;
    }
    if (section.author === 'person') persons = groups.length;
    groups.push(section);
  }
  return groups.some(isPersons) ? groups : groups.filter((group) => group.author !== 'person');
}

/** The person's entry keeps the id of the message; without one, the first entry does. */
function entriesOf(whole: Entry, groups: readonly Section[]): readonly Entry[] {
  const [only] = groups;
  if (only === undefined || (groups.length === 1 && only.author === 'person' && sameItems(only.parts, whole.parts)))
    return [whole];
  const owner = groups.find(({ author }) => author === 'person') ?? only;
  let injected = 0;
  return groups.map((group): Entry => {
    if (group !== owner) injected += 1;
    const id = group === owner ? whole.id : `${whole.id}:injected-${injected}`;
    const entry: Entry = { ...whole, id, parts: group.parts, ...marksOf(group.author) };
    knownWhole.set(entry, whole);
    return entry;
  });
}

function marksOf(author: Author): Pick<Entry, 'injected' | 'standing' | 'summary'> {
  if (author === 'person' || author === 'frame') return {};
  return { injected: true, ...(author === 'passing' ? {} : { [author]: true }) };
}

/** A compaction that replaced a message replaced all of its entries. */
function compactions({ entries, agentContext, agentCompactions }: Conversation, marks: AuthorMarks): AgentCompaction[] {
  const pieces = new Map<string, readonly Entry[]>();
  for (const entry of [...entries, ...agentContext]) {
    if (!isPrompt(entry)) continue;
    const own = piecesOf(entry, false, marks);
    if (own.length > 1) pieces.set(entry.id, own);
  }
  if (pieces.size === 0) return agentCompactions.slice();
  return agentCompactions.map((compaction) => ({
    ...compaction,
    replacedEntryIds: compaction.replacedEntryIds.flatMap((id) => pieces.get(id)?.map((entry) => entry.id) ?? [id]),
  }));
}

import { agentTags, frameTags, requestTags } from './tags';
import { wholeTextAuthor } from './whole-texts';

/** The author of a piece of a text in the role `user`, and how long the piece matters. */
export type Author =
  | 'person'
  /** The agent: rules, permissions, environment. They hold for the whole conversation. */
  | 'standing'
  /** The agent: reminders, notifications, output of commands. They belong to their turn. */
  | 'passing'
  /** The agent's own summary of what came before. */
  | 'summary'
  /** Tags that the agent puts around a person's words. */
  | 'frame';

export interface Piece {
  readonly author: Author;
  readonly text: string;
}

/**
 * Splits a text of the role `user` by author. Text of agents is only recognised at the beginning and at the end, because a
 * person may quote it in between. The pieces together are the text.
 * @param isBeginning no model has replied in the conversation yet
 */
export function piecesIn(text: string, isBeginning: boolean): Piece[] {
  return wholeText(text, isBeginning) ?? requestIn(text, isBeginning) ?? around(text, isBeginning, 'person');
}

/**
 * Splits a text of a session file by author. Unlike a request, a file has the person's words apart from what is sent around
 * them, so a request between tags is a quotation of the person's.
 * @param isBeginning no model has replied in the conversation yet
 */
export function piecesOfMessage(text: string, isBeginning: boolean): Piece[] {
  return wholeText(text, isBeginning) ?? around(text, isBeginning, 'person');
}

function wholeText(text: string, isBeginning: boolean): Piece[] | null {
  const author = wholeTextAuthor(text, isBeginning);
  return author === null ? null : [{ author, text }];
}

/** The pieces of a text in which the agent marked the person's request: everything else is the agent's. Null if it has no request. */
function requestIn(text: string, isBeginning: boolean): Piece[] | null {
  for (const tag of requestTags) {
    const start = atLineStart(text, `<${tag}>`);
    const end = text.lastIndexOf(`</${tag}>`);
    if (start < 0 || end < start) continue;
    const close = end + tag.length + 3;
    return [
      ...around(text.slice(0, start), isBeginning, 'passing'),
      ...framed(text.slice(start, close), tag),
      ...around(text.slice(close), isBeginning, 'passing'),
    ];
  }
  return null;
}

/** The agent's pieces at both ends of a text. The author of the middle is `other`. */
function around(text: string, isBeginning: boolean, other: 'person' | 'passing'): Piece[] {
  const before: Piece[] = [];
  let start = endOfEditorContext(text);
  if (start > 0) before.push({ author: 'passing', text: text.slice(0, start) });
  for (let end = endOfLeading(text, start); end > start; end = endOfLeading(text, start)) {
    before.push(tagged(text.slice(start, end), isBeginning));
    start = end;
  }
  const after: Piece[] = [];
  let end = text.length;
  for (let from = startOfTrailing(text, start, end); from < end; from = startOfTrailing(text, start, end)) {
    after.unshift(tagged(text.slice(from, end), isBeginning));
    end = from;
  }
  return withBlankJoined([...before, ...middle(text.slice(start, end), isBeginning, other), ...after]);
}

function middle(text: string, isBeginning: boolean, other: 'person' | 'passing'): Piece[] {
  if (text === '') return [];
  const author = wholeTextAuthor(text, isBeginning);
  if (author !== null || other === 'passing') return [{ author: author ?? other, text }];
  const tag = frameTags.find((name) => text.trimStart().startsWith(`<${name}>`));
  return tag !== undefined && text.trimEnd().endsWith(`</${tag}>`) ? framed(text, tag) : [{ author: other, text }];
}

/** Codex's editor extension and app put their information before the person's request, under headings. */
function endOfEditorContext(text: string): number {
  if (!/^\s*# [^\n]{1,100}:[ \t]*\r?\n/.test(text)) return 0;
  const request = /\n## My request for Codex:[ \t]*(?:\r?\n|$)/.exec(text);
  return request === null ? 0 : request.index + request[0].length;
}

/** Pieces of white space join their neighbour. */
function withBlankJoined(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && (piece.text.trim() === '' || last.text.trim() === '')) {
      const { author } = piece.text.trim() === '' ? last : piece;
      joined[joined.length - 1] = { author, text: last.text + piece.text };
    } else joined.push(piece);
  }
  return joined;
}

/** The words between a tag and its end, and the tags with the white space inside them. */
function framed(text: string, tag: string): Piece[] {
  const open = text.indexOf(`<${tag}>`) + tag.length + 2;
  const close = text.lastIndexOf(`</${tag}>`);
  const words = text.slice(open, close);
  if (words.trim() === '') return [{ author: 'person', text }];
  const start = open + (words.length - words.trimStart().length);
  const end = close - (words.length - words.trimEnd().length);
  return [
    { author: 'frame', text: text.slice(0, start) },
    { author: 'person', text: text.slice(start, end) },
    { author: 'frame', text: text.slice(end) },
  ];
}

const opening = /\s*<([\w:-]+(?: instructions)?)(?:\s[^<>]*)?>/y;

function tagAt(text: string, start: number): { readonly name: string; readonly end: number } | null {
  opening.lastIndex = start;
  const found = opening.exec(text);
  const [whole, name] = found ?? [];
  return whole === undefined || name === undefined || !agentTags.has(name) ? null : { name, end: start + whole.length };
}

/** The end of a tagged text that begins here, including the white space after it; `start` if there is none. */
function endOfLeading(text: string, start: number): number {
  const tag = tagAt(text, start);
  if (tag === null) return start;
  const end = endOfTag(text, tag.name, tag.end);
  return end < 0 ? start : end + blankAt(text, end);
}

/**
 * The first end tag at the end of a line, because rules may quote the tag; else the first of all. Negative without one.
 */
function endOfTag(text: string, name: string, from: number): number {
  const close = `</${name}>`;
  const first = text.indexOf(close, from);
  for (let at = first; at >= 0; at = text.indexOf(close, at + 1)) {
    if (/^[ \t]*(?:[\r\n<]|$)/.test(text.slice(at + close.length, at + close.length + 100))) return at + close.length;
  }
  return first < 0 ? -1 : first + close.length;
}

function blankAt(text: string, start: number): number {
  const blank = /\s*/y;
  blank.lastIndex = start;
  return blank.exec(text)?.[0].length ?? 0;
}

/** The start of a tagged text that reaches to `end`; `end` if there is none. */
function startOfTrailing(text: string, start: number, end: number): number {
  const rest = text.slice(start, end).trimEnd();
  const name = /<\/([\w:-]+(?: instructions)?)>$/.exec(rest.slice(-100))?.[1];
  if (name === undefined || !agentTags.has(name)) return end;
  const from = Math.max(rest.lastIndexOf(`\n<${name}>`), rest.lastIndexOf(`\n<${name} `));
  return from < 0 ? end : start + from + 1;
}

function atLineStart(text: string, tag: string): number {
  if (text.startsWith(tag)) return 0;
  const found = text.indexOf(`\n${tag}`);
  return found < 0 ? -1 : found + 1;
}

function tagged(text: string, isBeginning: boolean): Piece {
  const tag = tagAt(text, 0);
  const life = agentTags.get(tag?.name ?? '') ?? 'passing';
  return { author: life === 'reminder' ? authorOfReminder(text.slice(tag?.end ?? 0), isBeginning) : life, text };
}

/** Beginnings of Claude Code's reminders that apply only to their turn. */
const passingBeginnings = [
  'Note: ',
  'The user opened the file ',
  'The user selected ',
  'This is a reminder that your todo list',
  'Your todo list has changed',
  'The task tools haven',
  'The TodoWrite tool hasn',
  'Plan mode ',
  'New diagnostics',
  'Whenever you read a file',
];

/** Beginning of a reminder with text that a person typed while the agent was working. */
const fromPerson = /^The user sent (?:a new|the following) message/;

const toolOutputBeginning = /^(?:Called the |Result of calling the )/;

/** Files of rules, by their names. */
const namesOfRules = /\b(?:CLAUDE|AGENTS|GEMINI|QWEN)(?:\.local)?\.md\b|\binstructions are shown below/;

/** In characters: the beginning of a reminder shows its kind. */
const reminderHeadLength = 1000;

/**
 * The author of a reminder, and how long it holds. An agent's texts before the first reply set up the conversation, so they stay; a later
 * reminder stays if it contains rules.
 */
function authorOfReminder(text: string, isBeginning: boolean): 'person' | 'standing' | 'passing' {
  const head = text.slice(0, reminderHeadLength).trimStart();
  if (fromPerson.test(head)) return 'person';
  // The output of a tool may name files of rules.
  if (toolOutputBeginning.test(head)) return 'passing';
  if (namesOfRules.test(head)) return 'standing';
  return isBeginning && !passingBeginnings.some((beginning) => head.startsWith(beginning)) ? 'standing' : 'passing';
}

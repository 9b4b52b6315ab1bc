import { atOnce, costOfOne, type LongWork } from '../../engine/conversation/long-work';
import { endOfString, parsedJson } from '../../platform/json/json-text';

/** A range of characters; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Reads a JSON text from value to value. Does not look into values, so their depth does not matter, and long strings are fast. */
class JsonCursor {
  #at = 0;

  constructor(private readonly text: string) {}

  /** Offset of the next token. */
  get start(): number {
    while (isSpace(this.text.charCodeAt(this.#at))) this.#at += 1;
    return this.#at;
  }

  /** Offset of the end of the token or value that was read last. */
  get end(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.start === this.text.length;
  }

  /** Skips this character if it comes next. */
  takes(character: string): boolean {
    if (this.text.charAt(this.start) !== character) return false;
    this.#at += 1;
    return true;
  }

  /** Skips the next value. Its span is empty if there is no value. */
  value(): Span {
    const { start } = this;
    this.#at = endOfValue(this.text, start);
    return { start, end: this.#at };
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function endOfValue(text: string, start: number): number {
  switch (text.charAt(start)) {
    case '"':
      return endOfQuoted(text, start);
    case '{':
    case '[':
      return endOfContainer(text, start);
    default:
      return endOfLiteral(text, start);
  }
}

/** `start`: the opening quote. The end of the text if there is no closing quote. */
function endOfQuoted(text: string, start: number): number {
  return endOfString(text, start + 1) ?? text.length;
}

function endOfContainer(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const character = text.charAt(at);
    at = character === '"' ? endOfQuoted(text, at) : at + 1;
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** A number, `true`, `false` or `null`. */
function endOfLiteral(text: string, start: number): number {
  const literal = /[^ \t\n\r,\]}]*/y;
  literal.lastIndex = start;
  return start + (literal.exec(text)?.[0].length ?? 0);
}

/** A property of the outermost object, by text position. */
export interface Member {
  readonly name: string;
  /** Offset of its name. */
  readonly nameStart: number;
  readonly value: Span;
  /** The elements of a list; empty for other values. */
  readonly elements: readonly Span[];
}

/**
 * The properties of the JSON object in a text, in order; null if the text is not an object. Values and elements are found by
 * their quotes and brackets: the text is JSON if each of them is.
 */
export function* membersIn(text: string): LongWork<readonly Member[] | null> {
  const cursor = new JsonCursor(text);
  if (!cursor.takes('{')) return null;
  const members: Member[] = [];
  if (cursor.takes('}')) return cursor.isAtEnd ? members : null;
  do {
    const member = yield* memberAt(cursor, text);
    if (member === null) return null;
    members.push(member);
  } while (cursor.takes(','));
  return cursor.takes('}') && cursor.isAtEnd ? members : null;
}

/** Further elements of a list in an object, and the properties after that list. */
interface Rest {
  readonly elements: readonly Span[];
  readonly members: readonly Member[];
}

/** Reads the end of a JSON object, from after an element of one of its lists; null if the text is not such an end. */
export function* restIn(text: string): LongWork<Rest | null> {
  const cursor = new JsonCursor(text);
  const elements: Span[] = [];
  while (cursor.takes(',')) {
    const element = cursor.value();
    elements.push(element);
    yield element.end - element.start + costOfOne;
  }
  if (!cursor.takes(']')) return null;
  const members: Member[] = [];
  while (cursor.takes(',')) {
    const member = yield* memberAt(cursor, text);
    if (member === null) return null;
    members.push(member);
  }
  return cursor.takes('}') && cursor.isAtEnd ? { elements, members } : null;
}

function* memberAt(cursor: JsonCursor, text: string): LongWork<Member | null> {
  const nameSpan = cursor.value();
  const name = parsedJson(text.slice(nameSpan.start, nameSpan.end));
  if (typeof name !== 'string' || !cursor.takes(':')) return null;
  const found = yield* valueAt(cursor);
  return found === null ? null : { name, nameStart: nameSpan.start, ...found };
}

function* valueAt(cursor: JsonCursor): LongWork<Pick<Member, 'value' | 'elements'> | null> {
  const { start } = cursor;
  if (!cursor.takes('[')) {
    const value = cursor.value();
    yield value.end - value.start + costOfOne;
    return { value, elements: [] };
  }
  const elements: Span[] = [];
  if (!cursor.takes(']')) {
    do {
      const element = cursor.value();
      elements.push(element);
      yield element.end - element.start + costOfOne;
    } while (cursor.takes(','));
    if (!cursor.takes(']')) return null;
  }
  return { value: { start, end: cursor.end }, elements };
}

/** The properties of a valid JSON object, by name; the last of duplicates, as for `JSON.parse`. */
export function membersOf(text: string): ReadonlyMap<string, Member> {
  return new Map((atOnce(membersIn(text)) ?? []).map((member) => [member.name, member]));
}

/** An element of a new list: one of the original elements, or new text. */
export type Piece = { readonly kind: 'kept'; readonly index: number } | { readonly kind: 'new'; readonly text: string };

/** The text of a list with other elements. Kept elements keep their exact text and the white space before them. */
export function listWith(text: string, member: Member, pieces: readonly Piece[]): string {
  const { start, end } = elementsIn(member);
  const { value, elements } = member;
  return `${text.slice(value.start, start)}${elementsWith(text, elements, pieces)}${text.slice(end, value.end)}`;
}

/** From the first element of a list to the end of the last one. If the list is empty, what is between its brackets. */
export function elementsIn({ value, elements }: Member): Span {
  return { start: elements[0]?.start ?? value.start + 1, end: elements.at(-1)?.end ?? value.end - 1 };
}

/** The text of these elements, with what is between them. */
function elementsWith(text: string, elements: readonly Span[], pieces: readonly Piece[]): string {
  return pieces
    .map((piece, at) => `${at === 0 ? '' : gapBefore(text, elements, piece)}${written(text, elements, piece)}`)
    .join('');
}

function gapBefore(text: string, elements: readonly Span[], piece: Piece): string {
  if (piece.kind === 'new') return ',';
  const [before, element] = [elements[piece.index - 1], elements[piece.index]];
  return before && element ? text.slice(before.end, element.start) : ',';
}

function written(text: string, elements: readonly Span[], piece: Piece): string {
  if (piece.kind === 'new') return piece.text;
  const element = elements[piece.index];
  return element ? text.slice(element.start, element.end) : 'null';
}

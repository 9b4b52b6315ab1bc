import { createScanner, type JSONScanner } from 'jsonc-parser';

/** A range of characters; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A property of the outermost object, by text position. */
export interface Member {
  /** Offset of its name. */
  readonly nameStart: number;
  readonly value: Span;
  /** The elements of a list; empty for other values. */
  readonly elements: readonly Span[];
}

/**
 * The properties of a JSON object, by name; the last of duplicates, as for `JSON.parse`. The text must be valid JSON.
 * Does not recurse, so any depth is safe.
 */
export function membersOf(text: string): ReadonlyMap<string, Member> {
  const scanner = createScanner(text, true);
  const members = new Map<string, Member>();
  next(text, scanner);
  while (next(text, scanner) === '"') {
    const name = scanner.getTokenValue();
    const nameStart = scanner.getTokenOffset();
    next(text, scanner);
    next(text, scanner);
    members.set(name, { nameStart, ...listAt(text, scanner) });
    if (next(text, scanner) !== ',') break;
  }
  return members;
}

/** Advances to the next token and returns its first character; empty at the end. */
function next(text: string, scanner: JSONScanner): string {
  scanner.scan();
  return firstCharacter(text, scanner);
}

function firstCharacter(text: string, scanner: JSONScanner): string {
  return text.charAt(scanner.getTokenOffset());
}

/** Reads a value from its first token to its last. */
function listAt(text: string, scanner: JSONScanner): Pick<Member, 'value' | 'elements'> {
  if (firstCharacter(text, scanner) !== '[') return { value: valueAt(text, scanner), elements: [] };
  const start = scanner.getTokenOffset();
  const elements: Span[] = [];
  let first = next(text, scanner);
  while (first !== ']' && first !== '') {
    if (first !== ',') elements.push(valueAt(text, scanner));
    first = next(text, scanner);
  }
  return { value: { start, end: endOfToken(scanner) }, elements };
}

function valueAt(text: string, scanner: JSONScanner): Span {
  const start = scanner.getTokenOffset();
  let first = firstCharacter(text, scanner);
  let depth = depthAfter(0, first);
  while (depth > 0 && first !== '') {
    first = next(text, scanner);
    depth = depthAfter(depth, first);
  }
  return { start, end: endOfToken(scanner) };
}

function depthAfter(depth: number, token: string): number {
  if (token === '{' || token === '[') return depth + 1;
  return token === '}' || token === ']' ? depth - 1 : depth;
}

function endOfToken(scanner: JSONScanner): number {
  return scanner.getTokenOffset() + scanner.getTokenLength();
}

/** An element of a new list: one of the original elements, or new text. */
export type Piece = { readonly kind: 'kept'; readonly index: number } | { readonly kind: 'new'; readonly text: string };

/** The text of a list with other elements. Kept elements keep their exact text and the white space before them. */
export function listWith(text: string, { value, elements }: Member, pieces: readonly Piece[]): string {
  const { start, end } = value;
  const head = text.slice(start, elements[0]?.start ?? start + 1);
  const tail = text.slice(elements.at(-1)?.end ?? end - 1, end);
  return `${head}${pieces.map((piece, at) => `${at === 0 ? '' : gapBefore(text, elements, piece)}${written(text, elements, piece)}`).join('')}${tail}`;
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

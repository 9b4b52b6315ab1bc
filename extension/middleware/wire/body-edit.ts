import { applyEdits, type Edit } from 'jsonc-parser';
import { parsedJson } from '../../platform/json/json-text';
import type { JsonRecord } from '../../platform/json/schemas';
import * as s from '../../platform/json/schemas';
import { isThinking } from '../formats/anthropic';
import { movedMarks } from '../formats/cache-marks';
import { type Alteration, type LazyMessageFormat, type MessageGroup, madeMessages } from '../formats/format';
import type { Outgoing } from '../recognition/outgoing';
import { BodyBytes, joined } from './body-bytes';
import { listWith, type Member, membersOf, type Piece, type Span } from './json-text';

/** A body whose messages are to be replaced. Its fields and its text may lack the messages. */
export interface ChangingBody {
  readonly body: JsonRecord;
  readonly messages: BodyMessages;
  readonly text: string;
  readonly members: ReadonlyMap<string, Member>;
  /** Where the messages are in the text, without brackets; or the string that stands for them. */
  readonly list: Span;
}

/** A body with other messages: the text before and after them. */
export interface ChangedBody {
  readonly before: string;
  readonly pieces: readonly Piece[];
  readonly after: string;
}

/** The messages of a body, in groups. A group or a message of a long body is read only where it is asked for. */
export interface BodyMessages {
  readonly format: LazyMessageFormat<JsonRecord>;
  /** Number of messages before a group; for the number of groups, that of all messages. */
  before(group: number): number;
  groupAt(group: number): MessageGroup<JsonRecord>;
  messageAt(index: number): JsonRecord;
  /** JSON of a message, unchanged. */
  textAt(index: number): string;
  /** Number of groups. */
  readonly count: number;
  /** The newest mark of the cache in a group; undefined if it has none. */
  markAt(group: number): unknown;
}

/** The messages to send as pieces of the original list. Indexes in `outgoing` refer to groups. */
export function piecesOf(messages: BodyMessages, outgoing: readonly Outgoing[]): Piece[] {
  const { format } = messages;
  const markIn = (altered: Alteration & { readonly index: number }) =>
    format.marks?.of(format.altered(messages.groupAt(altered.index), altered));
  const { count, markAt } = messages;
  const marks = movedMarks({ count, markAt, markIn }, outgoing);
  return outgoing.flatMap((one): Piece[] => {
    if (one.kind === 'made') return madeMessages(format, one, marks).map(newPiece);
    const first = messages.before(one.index);
    const kept = keptPieces(first, messages.before(one.index + 1));
    if (one.kind === 'original') return kept;
    if (one.kind === 'without-thinking')
      return kept.flatMap(({ index }) => withoutThinking(messages.messageAt(index), messages.textAt(index)));
    const group = messages.groupAt(one.index);
    return messages.format.altered(group, one).map((message) => {
      const at = group.messages.indexOf(message);
      return at === -1 ? newPiece(message) : { kind: 'kept', index: first + at };
    });
  });
}

type KeptPiece = Extract<Piece, { readonly kind: 'kept' }>;

function newPiece(message: JsonRecord): Piece {
  return { kind: 'new', text: JSON.stringify(message) };
}

function keptPieces(first: number, end: number): KeptPiece[] {
  return Array.from({ length: end - first }, (_, at) => ({ kind: 'kept', index: first + at }));
}

/** `text`: JSON of the message. A message of Anthropic without its thinking. Other blocks keep their exact text; without any, the message is dropped. */
function withoutThinking({ content }: s.JsonRecord, text: string): Piece[] {
  const kept = s.read(s.list, content).flatMap((block, index): Piece[] => {
    return isThinking(block) ? [] : [{ kind: 'kept', index }];
  });
  const member = membersOf(text).get('content');
  if (kept.length === 0 || member === undefined) return [];
  const { start, end } = member.value;
  return [{ kind: 'new', text: `${text.slice(0, start)}${listWith(text, member, kept)}${text.slice(end)}` }];
}

/** The bytes of a body, and where each of its messages is in them. */
export interface MessageBytes {
  readonly bytes: BodyBytes;
  /** Offset of the first message. */
  readonly begins: number;
  /** For each message, the offset of its end. Ascending. */
  readonly ends: readonly number[];
}

/** JSON of a message. */
export function textOfMessage(body: MessageBytes, index: number): string {
  const { start, end } = spanOf(body, index);
  return new TextDecoder().decode(body.bytes.between(start, end));
}

export function messageIn(body: MessageBytes, index: number): JsonRecord {
  const message = parsedJson(textOfMessage(body, index));
  if (!s.isRecord(message)) throw new Error(`Message ${index} of a known body cannot be read.`);
  return message;
}

/** Between two messages is a comma, with white space around it. */
function spanOf({ bytes, begins, ends }: MessageBytes, index: number): Span {
  const end = ends[index];
  if (end === undefined) throw new Error(`A known body has no message ${index}.`);
  let start = index === 0 ? begins : (ends[index - 1] ?? 0);
  if (index > 0) while (isBetween(bytes.at(start))) start += 1;
  return { start, end };
}

function isBetween(byte: number | undefined): boolean {
  return byte === 0x2c || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The changed body. Messages that stay are copied as bytes; adjacent ones are copied together with everything between them. */
export function splicedBytes(body: MessageBytes, { before, pieces, after }: ChangedBody): BodyBytes {
  const encoder = new TextEncoder();
  const chunks = [encoder.encode(before)];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at] as Piece;
    const end = endOfRun(pieces, at);
    if (piece.kind === 'new') chunks.push(encoder.encode(at === 0 ? piece.text : `,${piece.text}`));
    else {
      if (at > 0 && piece.index === 0) chunks.push(encoder.encode(','));
      chunks.push(...bytesOfRun(body, piece.index, piece.index + end - at, at > 0));
    }
    at = end;
  }
  chunks.push(encoder.encode(after));
  return new BodyBytes([joined(chunks)]);
}

/** The end of the pieces, from this one on, that are consecutive messages of the body. */
function endOfRun(pieces: readonly Piece[], start: number): number {
  const first = pieces[start];
  let end = start + 1;
  if (first?.kind === 'kept') {
    for (let next = pieces[end]; next?.kind === 'kept' && next.index === first.index + end - start; next = pieces[end])
      end += 1;
  }
  return end;
}

/** The bytes of consecutive messages, with the separator before the first if `follows`. */
function bytesOfRun(body: MessageBytes, first: number, end: number, follows: boolean) {
  const start = (follows ? body.ends[first - 1] : undefined) ?? spanOf(body, first).start;
  return body.bytes.slices(start, spanOf(body, end - 1).end);
}

/** Edits the text of a body in place. Everything else keeps its exact text. */
export class BodyText {
  readonly text: string;
  readonly members: ReadonlyMap<string, Member>;
  readonly #list: Span;
  readonly #edits: Edit[] = [];

  constructor({ text, members, list }: Pick<ChangingBody, 'text' | 'members' | 'list'>) {
    this.text = text;
    this.members = members;
    this.#list = list;
  }

  replace({ value: { start, end } }: Member, content: string): this {
    return this.#edit(start, end, content);
  }

  insert(offset: number, content: string): this {
    return this.#edit(offset, offset, content);
  }

  textOf({ value: { start, end } }: Member): string {
    return this.text.slice(start, end);
  }

  #edit(start: number, end: number, content: string): this {
    this.#edits.push({ offset: start, length: end - start, content });
    return this;
  }

  /** The edited body with these messages. */
  with(pieces: readonly Piece[]): ChangedBody {
    const { start, end } = this.#list;
    const before = this.#edits.filter(({ offset }) => offset < start);
    const after = this.#edits.filter((edit) => !before.includes(edit));
    return {
      before: applyEdits(this.text.slice(0, start), before),
      pieces,
      after: applyEdits(
        this.text.slice(end),
        after.map((edit) => ({ ...edit, offset: edit.offset - end })),
      ),
    };
  }
}

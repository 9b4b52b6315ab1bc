import { parsedJson } from '../../sessions/records/json-text';
import type { JsonRecord } from '../../sessions/records/schemas';
import * as s from '../../sessions/records/schemas';
import type { Span } from './json-cursor';
import type { ChangedBody } from './protocol';
import type { Piece } from './splice';

/** The bytes of a body, and where each of its messages is in them. */
export interface MessageBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Offset of the first message. */
  readonly begins: number;
  /** For each message, the offset of its end. Ascending. */
  readonly ends: readonly number[];
}

/** JSON of a message. */
export function textOfMessage(body: MessageBytes, index: number): string {
  const { start, end } = spanOf(body, index);
  return new TextDecoder().decode(body.bytes.subarray(start, end));
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
  if (index > 0) while (isBetween(bytes[start])) start += 1;
  return { start, end };
}

function isBetween(byte: number | undefined): boolean {
  return byte === 0x2c || byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** The changed body. Messages that stay are copied as bytes, those that stood together with all that was between them. */
export function splicedBytes(body: MessageBytes, { before, pieces, after }: ChangedBody): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const chunks: Uint8Array[] = [encoder.encode(before)];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at] as Piece;
    const end = endOfRun(pieces, at);
    if (piece.kind === 'new') chunks.push(encoder.encode(at === 0 ? piece.text : `,${piece.text}`));
    else {
      if (at > 0 && piece.index === 0) chunks.push(encoder.encode(','));
      chunks.push(bytesOfRun(body, piece.index, piece.index + end - at, at > 0));
    }
    at = end;
  }
  chunks.push(encoder.encode(after));
  return joined(chunks);
}

/** Behind the messages that stood one after the other, from this piece on. */
function endOfRun(pieces: readonly Piece[], start: number): number {
  const first = pieces[start];
  let end = start + 1;
  if (first?.kind === 'kept') {
    for (let next = pieces[end]; next?.kind === 'kept' && next.index === first.index + end - start; next = pieces[end])
      end += 1;
  }
  return end;
}

/** With what was between the first of them and the message before it. */
function bytesOfRun(body: MessageBytes, first: number, end: number, follows: boolean): Uint8Array {
  const start = follows && first > 0 ? body.ends[first - 1] : spanOf(body, first).start;
  return body.bytes.subarray(start, spanOf(body, end - 1).end);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

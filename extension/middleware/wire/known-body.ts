import type { JsonRecord } from '../../sessions/records/schemas';
import type { LazyMessageFormat, MessageGroup } from '../formats/format';
import type { SeenCalls } from '../formats/seen-calls';
import type { KnownMessages, ReceivedConversation } from '../recognition/received-entries';
import type { BodyFields, BodyShape, ParsedRequest } from './protocol';
import type { MessageBytes } from './spliced-bytes';

/** What was read of a body, so that one that begins with the same bytes is read from there on. */
export interface KnownBody extends MessageBytes {
  readonly shape: BodyShape;
  /** The properties before the messages. */
  readonly head: JsonRecord;
  /** The text behind the messages. */
  readonly tail: string;
  readonly fields: BodyFields;
  readonly format: LazyMessageFormat<JsonRecord>;
  readonly groups: readonly KnownGroup[];
  readonly received: ReceivedConversation;
  readonly calls: SeenCalls;
}

/** A group of messages, without their content. */
export interface KnownGroup {
  /** Number of messages up to and including this group. */
  readonly messages: number;
  /** Number of calls up to and including this group. */
  readonly calls: number;
  /** The group is one message that ends every reply before it: nothing behind it changes how it is read. */
  readonly isCut: boolean;
  /** The names for `providerSide`. */
  readonly providerSide: readonly string[];
}

/** A known body, and how many of its groups another body begins with. */
export interface Continuing {
  readonly known: KnownBody;
  readonly groups: number;
}

/** That of nearly all groups. */
const noNames: readonly string[] = [];

/** `calls`: number of calls before these groups. `messages`: number of messages. */
export function knownGroups(
  groups: readonly MessageGroup<JsonRecord>[],
  shape: BodyShape,
  before: Pick<KnownGroup, 'messages' | 'calls'> = { messages: 0, calls: 0 },
): KnownGroup[] {
  let { messages, calls } = before;
  return groups.map((group) => {
    messages += group.messages.length;
    calls += group.said.parts.filter(({ type }) => type === 'tool_call').length;
    const names = group.messages.flatMap((message) => shape.providerSideOf(message) ?? []);
    const providerSide = names.length === 0 ? noNames : names;
    return { messages, calls, isCut: group.said.role === 'user', providerSide };
  });
}

/** The part of a parsed body that is remembered. */
export function knownBody(
  bytes: Uint8Array<ArrayBuffer>,
  shape: BodyShape,
  { text, members, messages, format, groups, calls, body, fields }: ParsedRequest,
  received: ReceivedConversation,
): KnownBody | null {
  const at = members.findIndex(({ name }) => name === shape.list);
  const list = members[at];
  const isOnlyOne = members.filter(({ name }) => name === shape.list).length === 1;
  // The number of a legacy call depends on all messages before it.
  if (list === undefined || !isOnlyOne || calls.functionCalls > 0 || list.elements.length !== messages.length)
    return null;
  const [first, last] = [list.elements[0], list.elements.at(-1)];
  if (first === undefined || last === undefined) return null;
  const offsets = byteOffsets(text, [first.start, ...list.elements.map(({ end }) => end)], bytes.length);
  if (offsets === null) return null;
  const [begins = 0, ...ends] = offsets;
  const head = Object.fromEntries(members.slice(0, at).map(({ name }) => [name, body[name]]));
  const tail = text.slice(last.end);
  const places = { bytes, begins, ends };
  return { ...{ ...places, shape, head, tail, fields, format, received, calls }, groups: knownGroups(groups, shape) };
}

export function knownMessages({ known, groups }: Continuing): KnownMessages {
  return { received: known.received, count: groups };
}

/** Offsets in the UTF-8 bytes of a text; null if the text has another length, such as without a byte order mark. */
export function byteOffsets(text: string, offsets: readonly number[], length: number): number[] | null {
  if (text.length === length) return [...offsets];
  let at = 0;
  let bytes = 0;
  const found = offsets.map((offset) => {
    bytes += utf8Length(text, at, offset);
    at = offset;
    return bytes;
  });
  return bytes + utf8Length(text, at, text.length) === length ? found : null;
}

/** A surrogate pair has four bytes, half of them for each unit. */
function utf8Length(text: string, start: number, end: number): number {
  let length = end - start;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) length += code > 0x7ff && (code < 0xd800 || code > 0xdfff) ? 2 : 1;
  }
  return length;
}

import { beginning } from '../../engine/conversation/common-prefix';
import type { ToolDefinitionsPart } from '../../engine/conversation/entry';
import { costOfOne, type LongWork, shortWork } from '../../engine/conversation/long-work';
import { sliceCost } from '../../platform/files/in-slices';
import { parsedJson } from '../../platform/json/json-text';
import type { JsonRecord } from '../../platform/json/schemas';
import * as s from '../../platform/json/schemas';
import { withoutCacheMark } from '../formats/content';
import type { LazyMessageFormat, MessageGroup } from '../formats/format';
import { SeenCalls } from '../formats/seen-calls';
import { isUnchanged, type Outgoing } from '../recognition/outgoing';
import { costOfParts, type ReceivedMessage } from '../recognition/received';
import { type ReceivedConversation, receiving } from '../recognition/received-entries';
import type { BodyBytes } from './body-bytes';
import { type BodyMessages, type MessageBytes, messageIn, splicedBytes, textOfMessage } from './body-edit';
import { elementsIn, type Member, membersIn, membersOf, restIn, type Span } from './json-text';
import type { BodyFields, BodyShape } from './protocol';

/** A request as read from a body. */
export interface ReadRequest extends BodyFields {
  /** The messages that were read now, in groups: all of them, or those after the known ones. */
  readonly said: readonly ReceivedMessage[];
  /** All messages. `time`: arrival of the request, ISO 8601. */
  receiving(time: string): LongWork<ReceivedConversation>;
  /** The body with blocks. Unchanged parts keep their exact bytes. Indexes in `outgoing` refer to the received messages. */
  rewriting(outgoing: readonly Outgoing[]): LongWork<BodyBytes>;
  /** The state to store with this body once its messages were received; null if the next body cannot be read from its end. */
  known(received: ReceivedConversation): KnownBody | null;
}

/** A body to forward unchanged: not JSON, an unknown shape, or a history that only the provider has. */
export interface Unread {
  readonly kind: 'unread';
  readonly reason: string;
}

export type Reading = { readonly kind: 'read'; readonly request: ReadRequest } | Unread;

/** The result of reading a body. Another body that begins with the same bytes is then read only after those bytes. */
export interface KnownBody extends MessageBytes {
  readonly shape: BodyShape;
  /** The properties before the messages. */
  readonly head: JsonRecord;
  /** The text after the last message. */
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
  /** The group is one message that ends every reply before it: no later message changes how it is read. */
  readonly isCut: boolean;
  /** The names for `providerSide` of the messages up to and including this group. */
  readonly providerSide: readonly string[];
  /** See `BodyMessages.markAt`. */
  readonly mark: unknown;
}

/** A known body, and how many of its groups another body begins with. */
export interface Continuing {
  readonly known: KnownBody;
  readonly groups: number;
}

/**
 * Reads a request, from the end of a known body if there is one that it begins with. Long work, because a body may have
 * megabytes. Takes over the calls of the known body.
 */
export function* readRequest(
  shape: BodyShape,
  bytes: BodyBytes,
  continuing: Continuing | null = null,
): LongWork<Reading> {
  const rest = continuing && (yield* parsedRest(shape, bytes, continuing));
  const parsed = rest ?? (yield* parsedWhole(shape, bytes));
  if (parsed.kind === 'unread') return parsed;
  const missing = shape.missingHistory?.(parsed.body) ?? firstMissingItem(shape, parsed.messages);
  if (missing !== null) return unread(missing);
  return { kind: 'read', request: yield* requestOf(shape, parsed) };
}

export function unread(reason: string): Unread {
  return { kind: 'unread', reason };
}

function firstMissingItem(shape: BodyShape, messages: readonly JsonRecord[]): string | null {
  for (const message of messages) {
    const missing = shape.missingItemOf?.(message) ?? null;
    if (missing !== null) return missing;
  }
  return null;
}

/** A body whose text was parsed. After a known body, only its additions are parsed. */
interface ParsedBody {
  readonly kind: 'parsed';
  /** Its properties. They may lack the messages. */
  readonly body: JsonRecord;
  /** The messages that were parsed. */
  readonly messages: readonly JsonRecord[];
  /** Where all messages are. */
  readonly places: MessageBytes;
  /** The properties before the messages; null if no other body can be read from the end of this one. */
  readonly head: JsonRecord | null;
  /** The string that replaces a list of messages; empty if there is a list. */
  readonly literal: string;
  /** The text after the last message. */
  readonly tail: string;
  /** Null if the body was parsed as a whole. */
  readonly continuing: Continuing | null;
}

function* parsedWhole(shape: BodyShape, bytes: BodyBytes): LongWork<ParsedBody | Unread> {
  const text = yield* textOf(bytes.between(0));
  if (text === null) return unread('The body is not text.');
  const reading = yield* bodyOf(text);
  if (reading.kind === 'unread') return reading;
  const { body, members } = reading;
  const messages = shape.messagesIn(body[shape.list]);
  const at = members.findLastIndex(({ name }) => name === shape.list);
  const list = members[at];
  if (messages === null || list === undefined) return unread(shape.withoutMessages);
  const isList = text.startsWith('[', list.value.start);
  const { start, end } = isList ? elementsIn(list) : list.value;
  const [begins = 0, ...ends] = byteOffsets(text, [start, ...list.elements.map((element) => element.end)], bytes, 0);
  const isOnlyOne = members.findIndex(({ name }) => name === shape.list) === at;
  const before = members.slice(0, at).map(({ name }) => [name, body[name]]);
  const head = isOnlyOne && list.elements.length > 0 ? Object.fromEntries(before) : null;
  const literal = isList ? '' : text.slice(start, end);
  const places = { bytes, begins, ends };
  return { kind: 'parsed', body, messages, places, head, literal, tail: text.slice(end), continuing: null };
}

/** Null if the body has to be parsed as a whole. */
function* parsedRest(shape: BodyShape, bytes: BodyBytes, continuing: Continuing): LongWork<ParsedBody | null> {
  const { known, groups: count } = continuing;
  const cut = known.groups[count - 1];
  const start = known.ends[(cut?.messages ?? 0) - 1];
  if (cut === undefined || start === undefined) return null;
  const text = yield* textOf(bytes.between(start));
  const rest = text === null ? null : yield* restIn(text);
  if (text === null || rest === null || rest.members.some(({ name }) => name === shape.list)) return null;
  const messages = shape.messagesIn(yield* parsedList(text, rest.elements));
  const added = yield* parsedObject(text, rest.members);
  if (messages === null || added === undefined) return null;
  const ends = rest.elements.map(({ end }) => end);
  const all = beginning(known.ends, cut.messages).concat(byteOffsets(text, ends, bytes, start));
  const places = { bytes, begins: known.begins, ends: all };
  const tail = text.slice(ends.at(-1) ?? 0);
  const { head } = known;
  return { kind: 'parsed', body: { ...head, ...added }, messages, places, head, literal: '', tail, continuing };
}

function* requestOf(shape: BodyShape, parsed: ParsedBody): LongWork<ReadRequest> {
  const { body, messages, places, head, tail, continuing } = parsed;
  const { known = null, groups: count = 0 } = continuing ?? {};
  const cut = known?.groups[count - 1];
  known?.calls.keepFirst(cut?.calls ?? 0);
  const calls = known?.calls ?? new SeenCalls();
  const format = known?.format ?? shape.formatOf(messages);
  const added = yield* grouping(format, messages, calls);
  const groups = beginning(known?.groups ?? [], count).concat(knownGroups(added, { shape, format }, cut));
  // Objects that say the same stay the same.
  const fields = tail === known?.tail ? known.fields : shape.fieldsOf(body);
  const said = added.map((group) => group.said);
  return {
    ...fields,
    providerSide: [...new Set([...fields.providerSide, ...(groups.at(-1)?.providerSide ?? [])])],
    said,
    receiving: (time) => receiving(said, time, known && { received: known.received, count }),
    rewriting: (outgoing) =>
      shortWork(() => {
        if (isUnchanged(outgoing, groups.length)) return places.bytes;
        const read = bodyMessages(places, { format, groups, count }, { messages, groups: added });
        return changedBytes(shape, parsed, read, outgoing);
      }),
    known: (received) => {
      // The number of a legacy call depends on all previous messages.
      if (head === null || calls.functionCalls > 0) return null;
      return { ...places, shape, head, tail, fields, format, groups, received, calls };
    },
  };
}

/** The messages of known groups exist only as bytes; added ones were parsed. */
function bodyMessages(
  places: MessageBytes,
  { format, groups, count }: { format: LazyMessageFormat<JsonRecord>; groups: readonly KnownGroup[]; count: number },
  added: { messages: readonly JsonRecord[]; groups: readonly MessageGroup<JsonRecord>[] },
): BodyMessages {
  const before = (group: number) => groups[group - 1]?.messages ?? 0;
  const messageAt = (index: number) => added.messages[index - before(count)] ?? messageIn(places, index);
  const knownGroup = (group: number) => {
    const indexes = Array.from({ length: before(group + 1) - before(group) }, (_, at) => before(group) + at);
    const [read, ...others] = format.groupsOf(indexes.map(messageAt));
    if (read === undefined || others.length > 0)
      throw new Error(`Group ${group} of a known body is not one group when it is read alone.`);
    return read;
  };
  return {
    ...{ format, before, messageAt },
    groupAt: (group) => added.groups[group - count] ?? knownGroup(group),
    textAt: (index) => textOfMessage(places, index),
    count: groups.length,
    markAt: (group) => groups[group]?.mark,
  };
}

/** Only what surrounds the messages is read as text. */
function changedBytes(
  shape: BodyShape,
  { body, places, literal, tail }: ParsedBody,
  messages: BodyMessages,
  outgoing: readonly Outgoing[],
): BodyBytes {
  const head = new TextDecoder().decode(places.bytes.between(0, places.begins));
  const text = `${head}${literal}${tail}`;
  const list = { start: head.length, end: head.length + literal.length };
  return splicedBytes(places, shape.changed({ body, messages, text, members: membersOf(text), list }, outgoing));
}

/** `before`: the last group before these; absent if there is none. */
function knownGroups(
  groups: readonly MessageGroup<JsonRecord>[],
  { shape, format }: { readonly shape: BodyShape; readonly format: LazyMessageFormat<JsonRecord> },
  before: Pick<KnownGroup, 'messages' | 'calls' | 'providerSide'> = { messages: 0, calls: 0, providerSide: [] },
): KnownGroup[] {
  let { messages, calls, providerSide } = before;
  return groups.map((group) => {
    messages += group.messages.length;
    calls += group.said.parts.filter(({ type }) => type === 'tool_call').length;
    const names = group.messages.flatMap((message) => shape.providerSideOf?.(message) ?? []);
    // Nearly all groups share one list.
    if (names.length > 0) providerSide = [...new Set([...providerSide, ...names])];
    return { messages, calls, isCut: group.said.role === 'user', providerSide, mark: format.marks?.of(group.messages) };
  });
}

/** A body that was parsed, and where its properties are. */
export interface JsonBody {
  readonly kind: 'body';
  readonly body: JsonRecord;
  readonly members: readonly Member[];
}

/** Parses JSON of any depth, each element of a list on its own. Content too deep to serialize is never serialized again. */
export function* bodyOf(text: string): LongWork<JsonBody | Unread> {
  const members = yield* membersIn(text);
  const body = members === null ? undefined : yield* parsedObject(text, members);
  if (members === null || body === undefined) return unread('The request is not a JSON object.');
  return { kind: 'body', body, members };
}

/** Undefined for text that is not JSON, as for `parsedJson`. */
function* parsedObject(text: string, members: readonly Member[]): LongWork<s.JsonRecord | undefined> {
  const values: [name: string, value: unknown][] = [];
  for (const { name, value, elements } of members) {
    const parsed = text.startsWith('[', value.start) ? yield* parsedList(text, elements) : parsedAt(text, value);
    if (parsed === undefined) return undefined;
    values.push([name, parsed]);
    yield costOf(value);
  }
  return Object.fromEntries(values);
}

function* parsedList(text: string, elements: readonly Span[]): LongWork<readonly unknown[] | undefined> {
  const list: unknown[] = [];
  for (const element of elements) {
    const parsed = parsedAt(text, element);
    if (parsed === undefined) return undefined;
    list.push(parsed);
    yield costOf(element);
  }
  return list;
}

function parsedAt(text: string, { start, end }: Span): unknown {
  return parsedJson(text.slice(start, end));
}

function costOf({ start, end }: Span): number {
  return end - start + costOfOne;
}

/** The groups of a format, as `groupsOf` returns them. */
function* grouping<M>(
  format: LazyMessageFormat<M>,
  messages: readonly M[],
  calls: SeenCalls,
): LongWork<readonly MessageGroup<M>[]> {
  const groups: MessageGroup<M>[] = [];
  for (const group of format.eachGroup(messages, calls)) {
    groups.push(group);
    yield costOfParts(group.said.parts);
  }
  return groups;
}

export const noMessages = 'The request has no list of messages.';

/** A list of objects only; null for everything else. */
export function messagesIn(value: unknown): readonly s.JsonRecord[] | null {
  return Array.isArray(value) && value.every(s.isRecord) ? value : null;
}

/** Ignores cache control marks, which move from request to request. */
export function toolsOf(value: unknown): ToolDefinitionsPart | null {
  const tools = s.read(s.jsonRecords, value).map(withoutCacheMark);
  if (tools.length === 0) return null;
  return { type: 'tool_definitions', names: tools.flatMap(toolName), text: JSON.stringify(tools) };
}

const nested = s.optionalRecord({ name: s.name });

const toolDefinition = s.record({ type: s.name, name: s.name, function: nested, custom: nested });

/** Tools that a provider runs often have only a type. */
function toolName(definition: s.JsonRecord): string[] {
  const tool = s.read(toolDefinition, definition);
  const { name } = tool.function ?? tool.custom ?? tool;
  return [name ?? tool.type ?? []].flat();
}

/** Null for bytes that are not UTF-8. */
function* textOf(body: Uint8Array): LongWork<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (let start = 0; start < body.length; start += sliceCost) {
      const bytes = body.subarray(start, start + sliceCost);
      text += decoder.decode(bytes, { stream: true });
      yield bytes.length;
    }
    return text + decoder.decode();
  } catch {
    return null;
  }
}

/** `text`: the decoded bytes from `first` on. Converts offsets in the text to offsets in the bytes. */
function byteOffsets(text: string, offsets: readonly number[], bytes: BodyBytes, first: number): number[] {
  const start = first + (isMarked(bytes, first) ? 3 : 0);
  if (text.length === bytes.length - start) return offsets.map((offset) => start + offset);
  let at = 0;
  let end = start;
  return offsets.map((offset) => {
    end += utf8Length(text, at, offset);
    at = offset;
    return end;
  });
}

/** A byte order mark is not part of the text. */
function isMarked(bytes: BodyBytes, first: number): boolean {
  return bytes.at(first) === 0xef && bytes.at(first + 1) === 0xbb && bytes.at(first + 2) === 0xbf;
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

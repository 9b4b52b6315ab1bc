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
import { costOfParts } from '../recognition/received';
import { type KnownMessages, type ReceivedConversation, receiving } from '../recognition/received-entries';
import { type BodyMessages, type MessageBytes, messageIn, splicedBytes, textOfMessage } from './body-edit';
import { byName, elementsIn, elementsWith, type Member, membersIn, membersOf, restIn, type Span } from './json-text';
import type { BodyFields, BodyShape, ParsedRequest, ReadBody, WireReading } from './protocol';

/** Long work, because a body may have megabytes. */
export function* readRequest(shape: BodyShape, text: string): LongWork<WireReading> {
  const reading = yield* bodyOf(text);
  if (reading.kind === 'unread') return reading;
  const { body } = reading;
  const messages = shape.messagesIn(body[shape.list]);
  if (messages === null) return unread(shape.withoutMessages);
  const elsewhere = shape.elsewhere(body) ?? firstElsewhere(shape, messages);
  if (elsewhere !== null) return unread(elsewhere);
  const format = shape.formatOf(messages);
  const calls = new SeenCalls();
  const groups = yield* grouping(format, messages, calls);
  const fields = shape.fieldsOf(body);
  const parsed = { ...reading, messages, format, groups, calls, fields };
  return {
    kind: 'request',
    request: {
      ...fields,
      providerSide: providerSide(fields, providerSides(shape, messages)),
      said: groups.map(({ said }) => said),
      rewritten: (outgoing) => (isUnchanged(outgoing, groups.length) ? text : changedText(shape, parsed, outgoing)),
    },
    parsed,
  };
}

export function firstElsewhere(shape: BodyShape, messages: readonly JsonRecord[]): string | null {
  for (const message of messages) {
    const elsewhere = shape.refersElsewhere(message);
    if (elsewhere !== null) return elsewhere;
  }
  return null;
}

/** The names that messages add, each once. */
export function providerSides(shape: BodyShape, messages: readonly JsonRecord[]): readonly string[] {
  const names = new Set<string>();
  for (const message of messages) {
    const name = shape.providerSideOf(message);
    if (name !== null) names.add(name);
  }
  return [...names];
}

export function providerSide(fields: BodyFields, ofMessages: readonly string[]): readonly string[] {
  return [...new Set([...fields.providerSide, ...ofMessages])];
}

export type BodyReading = ({ readonly kind: 'body' } & ReadBody) | Extract<WireReading, { readonly kind: 'unread' }>;

/** Parses JSON of any depth, each element of a list on its own. Content too deep to serialize is never serialized again. */
export function* bodyOf(text: string): LongWork<BodyReading> {
  const members = yield* membersIn(text);
  const body = members === null ? undefined : yield* parsedObject(text, members);
  if (members === null || body === undefined) return unread('The request is not a JSON object.');
  return { kind: 'body', body, text, members };
}

/** Undefined for text that is not JSON, as for `parsedJson`. */
export function* parsedObject(text: string, members: readonly Member[]): LongWork<s.JsonRecord | undefined> {
  const values: [name: string, value: unknown][] = [];
  for (const { name, value, elements } of members) {
    const parsed = text.startsWith('[', value.start) ? yield* parsedList(text, elements) : parsedAt(text, value);
    if (parsed === undefined) return undefined;
    values.push([name, parsed]);
    yield costOf(value);
  }
  return Object.fromEntries(values);
}

export function* parsedList(text: string, elements: readonly Span[]): LongWork<readonly unknown[] | undefined> {
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
export function* grouping<M>(
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

export function unread(reason: string): Extract<WireReading, { readonly kind: 'unread' }> {
  return { kind: 'unread', reason };
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
export function* textOf(body: Uint8Array): LongWork<string | null> {
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

/** A request whose body was read as a whole. */
export function wholeRequest(
  bytes: Uint8Array<ArrayBuffer>,
  shape: BodyShape,
  { request, parsed }: Extract<WireReading, { readonly kind: 'request' }>,
): ReadRequest {
  const { said, rewritten, ...fields } = request;
  return {
    ...fields,
    receiving: (time) => receiving(said, time),
    rewriting: (outgoing) => shortWork(() => new TextEncoder().encode(rewritten(outgoing))),
    known: (received) => knownBody(bytes, shape, parsed, received),
  };
}

/** The body with other messages, from one that was parsed as a whole. */
export function changedText(shape: BodyShape, parsed: ParsedRequest, outgoing: readonly Outgoing[]): string {
  const { body, text } = parsed;
  const members = byName(parsed.members);
  const member = members.get(shape.list);
  if (member === undefined) throw new Error(`The body has no ${shape.list}.`);
  const { value, elements } = member;
  const list = text.startsWith('[', value.start) ? elementsIn(member) : value;
  const textAt = (index: number) => {
    const { start, end } = found(elements, index);
    return text.slice(start, end);
  };
  const messages = { ...parsedMessages(parsed), textAt };
  const { before, pieces, after } = shape.changed({ body, messages, text, members, list }, outgoing);
  return `${before}${elementsWith(text, elements, pieces)}${after}`;
}

function parsedMessages({ format, groups, messages }: ParsedRequest): Omit<BodyMessages, 'textAt'> {
  const before = [0];
  for (const group of groups) before.push((before.at(-1) ?? 0) + group.messages.length);
  return {
    format,
    before: (group) => found(before, group),
    groupAt: (group) => found(groups, group),
    messageAt: (index) => found(messages, index),
  };
}

function found<T>(list: readonly T[], index: number): T {
  const one = list[index];
  if (one === undefined) throw new Error(`The body has nothing at ${index}.`);
  return one;
}

/** A request as read from a body. */
export interface ReadRequest extends BodyFields {
  /** `time`: arrival of the request, ISO 8601. */
  receiving(time: string): LongWork<ReceivedConversation>;
  /** The body with blocks. Indexes in `outgoing` refer to the messages of the received conversation. */
  rewriting(outgoing: readonly Outgoing[]): LongWork<Uint8Array<ArrayBuffer>>;
  /** What to remember of this body once its messages were received; null if it cannot be followed. */
  known(received: ReceivedConversation): KnownBody | null;
}

/** Reads a body from where a known one ended; null if it has to be read as a whole. Takes over the calls of the known one. */
export function* continuedRequest(
  shape: BodyShape,
  bytes: Uint8Array<ArrayBuffer>,
  continuing: Continuing,
): LongWork<ReadRequest | null> {
  const { known, groups: count } = continuing;
  const cut = known.groups[count - 1];
  const start = known.ends[(cut?.messages ?? 0) - 1];
  if (cut === undefined || start === undefined) return null;
  const text = yield* textOf(bytes.subarray(start));
  const rest = text === null ? null : yield* restIn(text);
  if (text === null || rest === null || rest.members.some(({ name }) => name === shape.list)) return null;
  const messages = shape.messagesIn(yield* parsedList(text, rest.elements));
  const added = yield* parsedObject(text, rest.members);
  if (messages === null || added === undefined) return null;
  const tail = text.slice(rest.elements.at(-1)?.end ?? 0);
  const body = { ...known.head, ...added };
  if (shape.elsewhere(body) !== null || firstElsewhere(shape, messages) !== null) return null;
  const ends = byteOffsets(
    text,
    rest.elements.map(({ end }) => end),
    bytes.length - start,
  );
  if (ends === null) return null;
  known.calls.keepFirst(cut.calls);
  const groups = yield* grouping(known.format, messages, known.calls);
  // Objects that say the same stay the same.
  const fields = tail === known.tail ? known.fields : shape.fieldsOf(body);
  const allGroups = known.groups.slice(0, count).concat(knownGroups(groups, shape, cut));
  const all = known.ends.slice(0, cut.messages).concat(ends.map((end) => start + end));
  const places: MessageBytes = { bytes, begins: known.begins, ends: all };
  return {
    ...fields,
    providerSide: providerSide(fields, providerSideOf(allGroups)),
    receiving: (time) =>
      receiving(
        groups.map(({ said }) => said),
        time,
        knownMessages(continuing),
      ),
    rewriting: (outgoing) => {
      const read = messagesOf(places, { format: known.format, groups: allGroups, count }, { messages, groups });
      return shortWork(() =>
        isUnchanged(outgoing, allGroups.length)
          ? bytes
          : changedBytes(shape, places, { body, tail, messages: read }, outgoing),
      );
    },
    known: (received) => {
      if (known.calls.functionCalls > 0) return null;
      return { ...known, ...places, tail, fields, groups: allGroups, received };
    },
  };
}

function providerSideOf(groups: readonly { readonly providerSide: readonly string[] }[]): readonly string[] {
  const names = new Set<string>();
  for (const group of groups) for (const name of group.providerSide) names.add(name);
  return [...names];
}

/** The messages before the cut are in their bytes alone; those that were added were parsed. */
function messagesOf(
  places: MessageBytes,
  { format, groups, count }: { format: LazyMessageFormat<JsonRecord>; groups: readonly KnownGroup[]; count: number },
  added: { messages: readonly JsonRecord[]; groups: readonly MessageGroup<JsonRecord>[] },
): BodyMessages {
  const before = (group: number) => groups[group - 1]?.messages ?? 0;
  const messageAt = (index: number) => added.messages[index - before(count)] ?? messageIn(places, index);
  const knownGroup = (group: number) => {
    const indexes = Array.from({ length: before(group + 1) - before(group) }, (_, at) => before(group) + at);
    const [read, ...others] = format.groupsOf(indexes.map(messageAt));
    if (read === undefined || others.length > 0) throw new Error(`Group ${group} of a known body is read otherwise.`);
    return read;
  };
  return {
    ...{ format, before, messageAt },
    groupAt: (group) => added.groups[group - count] ?? knownGroup(group),
    textAt: (index) => textOfMessage(places, index),
  };
}

/** Only what surrounds the messages is read as text. */
function changedBytes(
  shape: BodyShape,
  places: MessageBytes,
  { body, tail, messages }: { body: JsonRecord; tail: string; messages: BodyMessages },
  outgoing: readonly Outgoing[],
): Uint8Array<ArrayBuffer> {
  const head = new TextDecoder().decode(places.bytes.subarray(0, places.begins));
  const text = `${head}${tail}`;
  const list = { start: head.length, end: head.length };
  return splicedBytes(places, shape.changed({ body, messages, text, members: membersOf(text), list }, outgoing));
}

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

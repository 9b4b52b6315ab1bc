import { type LongWork, shortWork } from '../../engine/conversation/long-work';
import type { JsonRecord } from '../../sessions/records/schemas';
import type { LazyMessageFormat, MessageGroup } from '../formats/format';
import { isUnchanged, type Outgoing } from '../recognition/outgoing';
import { type ReceivedConversation, receiving } from '../recognition/received-entries';
import type { BodyMessages } from './body-messages';
import {
  byteOffsets,
  type Continuing,
  type KnownBody,
  type KnownGroup,
  knownGroups,
  knownMessages,
} from './known-body';
import type { BodyFields, BodyShape } from './protocol';
import { firstElsewhere, providerSide } from './read-request';
import { grouping, parsedList, parsedObject } from './request-body';
import { membersOf, restIn } from './splice';
import { type MessageBytes, messageIn, splicedBytes, textOfMessage } from './spliced-bytes';
import { textOf } from './text-of-body';

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

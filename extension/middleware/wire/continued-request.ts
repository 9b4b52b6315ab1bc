import type { LongWork } from '../../engine/conversation/long-work';
import { isUnchanged, type Outgoing } from '../recognition/outgoing';
import { type ReceivedConversation, receiving } from '../recognition/received-entries';
import { byteOffsets, type Continuing, type KnownBody, knownGroups, knownMessages } from './known-body';
import type { BodyFields, BodyShape } from './protocol';
import { firstElsewhere, providerSide, readRequest } from './read-request';
import { grouping, parsedList, parsedObject } from './request-body';
import { restIn } from './splice';
import { textOf } from './text-of-body';

/** A request as read from a body. */
export interface ReadRequest extends BodyFields {
  /** `time`: arrival of the request, ISO 8601. */
  receiving(time: string): LongWork<ReceivedConversation>;
  /** The body with blocks. Indexes in `outgoing` refer to the messages of the received conversation. */
  rewriting(outgoing: readonly Outgoing[]): LongWork<string>;
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
  known.calls.keepFirst(cut.calls);
  const groups = yield* grouping(known.format, messages, known.calls);
  // Objects that say the same stay the same.
  const fields = tail === known.tail ? known.fields : shape.fieldsOf(body);
  const allGroups = known.groups.slice(0, count).concat(knownGroups(groups, shape, cut));
  return {
    ...fields,
    providerSide: providerSide(fields, providerSideOf(allGroups)),
    receiving: (time) =>
      receiving(
        groups.map(({ said }) => said),
        time,
        knownMessages(continuing),
      ),
    rewriting: (outgoing) => rewriting(shape, bytes, allGroups.length, outgoing),
    known: (received) => {
      const ends = byteOffsets(
        text,
        rest.elements.map(({ end }) => end),
        bytes.length - start,
      );
      if (ends === null || known.calls.functionCalls > 0) return null;
      const all = known.ends.slice(0, cut.messages).concat(ends.map((end) => start + end));
      return { ...known, bytes, ends: all, tail, fields, groups: allGroups, received };
    },
  };
}

function providerSideOf(groups: readonly { readonly providerSide: readonly string[] }[]): readonly string[] {
  const names = new Set<string>();
  for (const group of groups) for (const name of group.providerSide) names.add(name);
  return [...names];
}

/** A body that changes is read as a whole, because its messages are in no list. */
function* rewriting(
  shape: BodyShape,
  bytes: Uint8Array,
  count: number,
  outgoing: readonly Outgoing[],
): LongWork<string> {
  const text = (yield* textOf(bytes)) ?? '';
  if (isUnchanged(outgoing, count)) return text;
  const reading = yield* readRequest(shape, text);
  if (reading.kind === 'unread') throw new Error(reading.reason);
  return reading.request.rewritten(outgoing);
}

import type { LongWork } from '../../engine/conversation/long-work';
import type { JsonRecord } from '../../sessions/records/schemas';
import { SeenCalls } from '../formats/seen-calls';
import { isUnchanged } from '../recognition/outgoing';
import type { BodyFields, BodyShape, WireReading } from './protocol';
import { bodyOf, grouping, unread } from './request-body';
import { changedText } from './whole-messages';

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

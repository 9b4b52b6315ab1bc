import type { LongWork } from '../../engine/conversation/long-work';
import * as s from '../../sessions/records/schemas';
import type { MessageGroup } from '../formats/format';
import { itemType, openAiResponses } from '../formats/openai-responses';
import { isUnchanged, type Outgoing } from '../recognition/outgoing';
import { openAiResponsesAnswer } from './answers/openai-responses';
import { openAiError } from './openai-error';
import type { WireProtocol, WireReading } from './protocol';
import { BodyText, bodyOf, grouping, messagesIn, piecesOf, type ReadBody, toolsOf, unread } from './request-body';

/** OpenAI's Responses API. */
export const openAiResponsesProtocol: WireProtocol = {
  name: 'openai-responses',
  matches: (path) => path.endsWith('/responses'),
  read,
  answerReader: openAiResponsesAnswer,
  error: openAiError,
};

const requestBody = s.record({
  model: s.text,
  instructions: s.name,
  previous_response_id: s.name,
  /** An id, or a record. */
  conversation: s.anything,
  context_management: s.anything,
  truncation: s.name,
});

type RequestBody = s.Read<typeof requestBody>;

function* read(text: string): LongWork<WireReading> {
  const reading = yield* bodyOf(text);
  if (reading.kind === 'unread') return reading;
  const { body } = reading;
  const items = itemsOf(body.input);
  if (items === null) return unread('The request has no list of input items.');
  const fields = s.read(requestBody, body);
  const elsewhere = historyElsewhere(fields, items);
  if (elsewhere !== null) return unread(elsewhere);
  const groups = yield* grouping(openAiResponses, items);
  const { model, instructions } = fields;
  return {
    kind: 'request',
    request: {
      model,
      system: instructions === null ? [] : [instructions],
      tools: toolsOf(body.tools),
      said: groups.map(({ said }) => said),
      providerSide: providerSide(fields, items),
      rewritten: (outgoing) => rewrittenBody(reading, groups, outgoing),
    },
  };
}

/** A string is one user message. */
function itemsOf(input: unknown): readonly s.JsonRecord[] | null {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : messagesIn(input);
}

/** Why the request does not contain the whole history; null if it does. */
function historyElsewhere(
  { previous_response_id, conversation }: RequestBody,
  items: readonly s.JsonRecord[],
): string | null {
  if (previous_response_id !== null) {
    return 'The request continues a response that only the provider has (previous_response_id).';
  }
  if (s.read(s.name, conversation) !== null || s.isRecord(conversation)) {
    return 'The request belongs to a conversation that only the provider has (conversation).';
  }
  return items.some(isReference) ? 'The request refers to items that only the provider has (item_reference).' : null;
}

function isReference(item: s.JsonRecord): boolean {
  const type = itemType(item);
  return type === 'item_reference' || (type === '' && s.read(s.name, item.id) !== null);
}

function providerSide({ context_management, truncation }: RequestBody, items: readonly s.JsonRecord[]): string[] {
  const manages = Array.isArray(context_management) ? context_management.length > 0 : s.isRecord(context_management);
  return [
    ...(manages ? ['context_management'] : []),
    ...(truncation === 'auto' ? ['truncation'] : []),
    ...new Set(items.map(itemType).filter((type) => compactionTypes.has(type))),
  ];
}

const compactionTypes: ReadonlySet<string> = new Set([
  'compaction',
  'compaction_summary',
  'context_compaction',
  'compaction_trigger',
]);

function rewrittenBody(
  read: ReadBody,
  groups: readonly MessageGroup<s.JsonRecord>[],
  outgoing: readonly Outgoing[],
): string {
  if (isUnchanged(outgoing, groups)) return read.text;
  const body = new BodyText(read);
  const pieces = piecesOf(openAiResponses, groups, outgoing);
  const input = body.members.get('input');
  if (input === undefined || body.textOf(input).startsWith('[')) return body.replaceList('input', pieces).toString();
  const message = `{"role":"user","content":${body.textOf(input)}}`;
  const items = pieces.map((piece) => (piece.kind === 'new' ? piece.text : message));
  return body.replace(input, `[${items.join(',')}]`).toString();
}

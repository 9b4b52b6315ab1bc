import * as s from '../../sessions/records/schemas';
import { compactionItems, itemType, openAiResponses } from '../formats/openai-responses';
import type { Outgoing } from '../recognition/outgoing';
import { openAiResponsesAnswer } from './answers/openai-responses';
import { piecesOf } from './body-messages';
import { openAiError } from './openai-error';
import type { BodyFields, BodyShape, ChangedBody, ChangingBody, WireProtocol } from './protocol';
import { BodyText, messagesIn, toolsOf } from './request-body';

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

const shape: BodyShape = {
  list: 'input',
  messagesIn: itemsOf,
  withoutMessages: 'The request has no list of input items.',
  formatOf: () => openAiResponses,
  fieldsOf,
  elsewhere: (body) => historyElsewhere(s.read(requestBody, body)),
  refersElsewhere: (item) => (isReference(item) ? toReferences : null),
  providerSideOf: (item) => (compactionTypes.has(itemType(item)) ? itemType(item) : null),
  changed: changedBody,
};

function fieldsOf(body: s.JsonRecord): BodyFields {
  const fields = s.read(requestBody, body);
  const { model, instructions } = fields;
  const system = instructions === null ? [] : [instructions];
  return { model, system, tools: toolsOf(body.tools), providerSide: providerSide(fields) };
}

/** A string is one user message. */
function itemsOf(input: unknown): readonly s.JsonRecord[] | null {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : messagesIn(input);
}

/** Why the request does not contain the whole history; null if it does. */
function historyElsewhere({ previous_response_id, conversation }: RequestBody): string | null {
  if (previous_response_id !== null) {
    return 'The request continues a response that only the provider has (previous_response_id).';
  }
  if (s.read(s.name, conversation) !== null || s.isRecord(conversation)) {
    return 'The request belongs to a conversation that only the provider has (conversation).';
  }
  return null;
}

const toReferences = 'The request refers to items that only the provider has (item_reference).';

function isReference(item: s.JsonRecord): boolean {
  const type = itemType(item);
  return type === 'item_reference' || (type === '' && s.read(s.name, item.id) !== null);
}

function providerSide({ context_management, truncation }: RequestBody): string[] {
  const manages = Array.isArray(context_management) ? context_management.length > 0 : s.isRecord(context_management);
  return [...(manages ? ['context_management'] : []), ...(truncation === 'auto' ? ['truncation'] : [])];
}

const compactionTypes: ReadonlySet<string> = new Set([...compactionItems, 'compaction_trigger']);

function changedBody(body: ChangingBody, outgoing: readonly Outgoing[]): ChangedBody {
  const { text, list, messages } = body;
  const changed = new BodyText(body).with(piecesOf(messages, outgoing));
  if (!text.startsWith('"', list.start)) return changed;
  const message = { kind: 'new', text: `{"role":"user","content":${text.slice(list.start, list.end)}}` } as const;
  const pieces = changed.pieces.map((piece) => (piece.kind === 'new' ? piece : message));
  return { before: `${changed.before}[`, pieces, after: `]${changed.after}` };
}

/** OpenAI's Responses API. */
export const openAiResponsesProtocol: WireProtocol = {
  name: 'openai-responses',
  matches: (path) => path.endsWith('/responses'),
  shape,
  answerReader: openAiResponsesAnswer,
  error: openAiError,
};

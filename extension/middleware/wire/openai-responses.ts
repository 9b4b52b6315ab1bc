import type { ReasoningPart, TextPart, ToolCallPart, Usage } from '../../engine/conversation/entry';
import type { ChatPiece } from '../../models/chat-model';
import * as s from '../../platform/json/schemas';
import { compactionItems, itemType, openAiResponses, readableReasoning } from '../formats/openai-responses';
import { responsesCall, responsesContent } from '../formats/openai-responses-calls';
import type { Outgoing } from '../recognition/outgoing';
import { type AnswerEnd, type AnswerGatherer, answerReader, textPiece } from './answer-reader';
import { BodyText, type ChangedBody, type ChangingBody, piecesOf } from './body-edit';
import { openAiError } from './openai-chat';
import type { BodyFields, BodyShape, WireProtocol } from './protocol';
import { messagesIn, toolsOf } from './request-reader';

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
  missingHistory: (body) => historyMissing(s.read(requestBody, body)),
  missingItemOf: (item) => (isReference(item) ? toReferences : null),
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
function historyMissing({ previous_response_id, conversation }: RequestBody): string | null {
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
  answerReader: (contentType) => answerReader(contentType, new ResponseGatherer()),
  error: openAiError,
};

const response = s.record({
  status: s.name,
  output: s.jsonRecords,
  usage: s.record({
    input_tokens: s.count,
    output_tokens: s.count,
    input_tokens_details: s.record({ cached_tokens: s.countOrZero }),
  }),
});

const itemDone = s.record({ item: s.jsonRecord, output_index: s.anything });

class ResponseGatherer implements AnswerGatherer {
  /** Types and indexes of streamed items, so that the finished item does not repeat them. */
  readonly #streamed = new Set<string>();
  #hasItems = false;
  #usage: Usage | null = null;
  #hasFinished = false;

  event(event: s.JsonRecord): readonly ChatPiece[] {
    switch (event.type) {
      case 'response.output_item.done':
        this.#hasItems = true;
        return this.#item(event);
      case 'response.completed':
      case 'response.incomplete':
        return this.whole(s.read(s.jsonRecord, event.response) ?? {});
      default:
        return this.#delta(event);
    }
  }

  whole(answer: s.JsonRecord): readonly ChatPiece[] {
    const { status, output, usage } = s.read(response, answer);
    this.#usage = usageIn(usage) ?? this.#usage;
    this.#hasFinished = status === 'completed' || status === 'incomplete';
    const isRepeated = this.#hasItems || this.#streamed.size > 0;
    return isRepeated ? [] : output.flatMap(itemPieces);
  }

  end(): AnswerEnd {
    const pieces: ChatPiece[] = this.#usage ? [{ type: 'usage', usage: this.#usage }] : [];
    return { pieces, isWhole: this.#hasFinished };
  }

  #delta(event: s.JsonRecord): ChatPiece[] {
    const piece = deltaPiece(event);
    if (piece === null) return [];
    this.#streamed.add(`${piece.type}:${event.output_index}`);
    return [piece];
  }

  #item(event: s.JsonRecord): ChatPiece[] {
    const { item, output_index: index } = s.read(itemDone, event);
    return itemPieces(item ?? {}).filter(({ type }) => !this.#streamed.has(`${type}:${index}`));
  }
}

/** The provider's input tokens include the cached ones. */
function usageIn(usage: s.Read<typeof response>['usage']): Usage | null {
  const { input_tokens: input, output_tokens: output, input_tokens_details: details } = usage;
  if (input === null || output === null) return null;
  const cacheRead = details.cached_tokens;
  return { input: Math.max(0, input - cacheRead), output, cacheRead, cacheWrite: 0 };
}

type Piece = TextPart | ReasoningPart | ToolCallPart;

/** The pieces of one response item. None for tools that the provider runs. */
function itemPieces(item: s.JsonRecord): Piece[] {
  switch (item.type) {
    case 'message':
      return textPiece('text', spoken(item.content));
    case 'reasoning':
      return textPiece('reasoning', readableReasoning(item));
    default:
      return [responsesCall(item) ?? []].flat();
  }
}

/** The piece that a stream event adds; null if there is none. */
function deltaPiece({ type, delta }: s.JsonRecord): TextPart | ReasoningPart | null {
  const text = s.read(s.name, delta);
  if (text === null) return null;
  switch (type) {
    case 'response.output_text.delta':
    case 'response.refusal.delta':
      return { type: 'text', text };
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return { type: 'reasoning', text };
    default:
      return null;
  }
}

function spoken(content: unknown): string {
  return responsesContent(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}

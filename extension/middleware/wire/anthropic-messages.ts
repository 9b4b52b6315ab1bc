import { textOf, type Usage } from '../../engine/conversation/entry';
import type { ChatPiece } from '../../models/chat-model';
import * as s from '../../platform/json/schemas';
import { shownInput } from '../../sessions/records/tool-input';
import { anthropic, blocksOf, textBlock } from '../formats/anthropic';
import { callInput } from '../formats/call-input';
import type { Outgoing } from '../recognition/outgoing';
import { type AnswerEnd, type AnswerGatherer, answerReader, textPiece } from './answer-reader';
import { BodyText, type ChangedBody, type ChangingBody, piecesOf } from './body-edit';
import { listWith, type Member, type Piece } from './json-text';
import type { BodyFields, BodyShape, RefusalReason, WireProtocol } from './protocol';
import { messagesIn, noMessages, toolsOf } from './request-reader';

/** `/threads/…/messages` is an OpenAI path and does not ask for a reply. */
function matches(path: string): boolean {
  return path.endsWith('/messages') && !/\/threads\/[^/]+\/messages$/.test(path);
}

const requestBody = s.record({
  model: s.text,
  system: s.anything,
  context_management: s.record({ edits: s.records({ type: s.text }) }),
  compaction: s.jsonRecord,
});

const shape: BodyShape = {
  list: 'messages',
  messagesIn,
  withoutMessages: noMessages,
  formatOf: () => anthropic,
  fieldsOf,
  providerSideOf: (message) => (hasCompaction(message) ? 'compaction' : null),
  changed: changedBody,
};

function fieldsOf(body: s.JsonRecord): BodyFields {
  const fields = s.read(requestBody, body);
  const system = systemOf(fields.system);
  return { model: fields.model, system, tools: toolsOf(body.tools), providerSide: providerSide(fields) };
}

/** First line of Claude Code’s system prompt, for billing. Ignored, because it has no content and changes. */
const billingHeader = 'x-anthropic-billing-header:';

function systemOf(system: unknown): string[] {
  return blocksOf(system)
    .flatMap(({ text }) => s.read(s.name, text) ?? [])
    .filter((text) => !text.startsWith(billingHeader));
}

function providerSide({ context_management: management, compaction }: s.Read<typeof requestBody>): string[] {
  // Clearing of thinking is not compaction. Claude Code sets it in every request, to keep all thinking.
  const edits = management.edits.some(({ type }) => !type.startsWith('clear_thinking'));
  return [...(edits ? ['context_management'] : []), ...(compaction === null ? [] : ['compaction'])];
}

function hasCompaction({ content }: s.JsonRecord): boolean {
  return s.read(s.list, content).some((block) => s.isRecord(block) && block.type === 'compaction');
}

function changedBody(changing: ChangingBody, outgoing: readonly Outgoing[]): ChangedBody {
  const cores = outgoing.flatMap((one) => (one.kind === 'made' && one.message.kind === 'core' ? [one.message] : []));
  const spoken = outgoing.filter((one) => one.kind !== 'made' || one.message.kind !== 'core');
  const body = new BodyText(changing);
  const texts = cores.map(({ parts }) => textOf(parts));
  if (texts.length > 0) withSystem(body, texts);
  return body.with(piecesOf(changing.messages, spoken));
}

/** Appends after the client's system prompt, so that the provider's cache of it stays valid. */
function withSystem(body: BodyText, texts: readonly string[]): BodyText {
  const added = texts.map((text): Piece => ({ kind: 'new', text: JSON.stringify(textBlock(text)) }));
  const system = body.members.get('system');
  if (system !== undefined) return body.replace(system, systemWith(body, system, added));
  const start = body.members.get('messages')?.nameStart ?? 0;
  return body.insert(start, `"system":${listOf(added)},`);
}

function systemWith(body: BodyText, system: Member, added: readonly Piece[]): string {
  const before = body.textOf(system);
  const kept = system.elements.map((_, index): Piece => ({ kind: 'kept', index }));
  if (before.startsWith('[')) return listWith(body.text, system, [...kept, ...added]);
  const isText = before.startsWith('"') && before !== '""';
  return listOf(isText ? [{ kind: 'new', text: `{"type":"text","text":${before}}` }, ...added] : added);
}

function listOf(pieces: readonly Piece[]): string {
  return `[${pieces.map((piece) => (piece.kind === 'new' ? piece.text : '')).join(',')}]`;
}

const types: Readonly<Record<RefusalReason, string>> = {
  'not-allowed': 'permission_error',
  'too-large': 'request_too_large',
  unreachable: 'api_error',
  failed: 'api_error',
};

function error(reason: RefusalReason, message: string): object {
  return { type: 'error', error: { type: types[reason], message } };
}

/** Anthropic's Messages API. */
export const anthropicMessagesProtocol: WireProtocol = {
  name: 'anthropic-messages',
  matches,
  shape,
  answerReader: (contentType) => answerReader(contentType, new MessageGatherer()),
  error,
};

const reportedUsage = s.optionalRecord({
  input_tokens: s.count,
  output_tokens: s.count,
  cache_read_input_tokens: s.count,
  cache_creation_input_tokens: s.count,
});

type ReportedUsage = s.Read<typeof reportedUsage>;

const blockFields = { type: s.name, text: s.text, thinking: s.text, id: s.text, name: s.text, input: s.anything };
const contentBlock = s.record(blockFields);

type ContentBlock = s.Read<typeof contentBlock>;

const messageStart = s.record({ message: s.record({ usage: reportedUsage }) });
const blockStart = s.record({ index: s.anything, content_block: contentBlock });
const blockDelta = s.record({
  index: s.anything,
  delta: s.record({ type: s.name, text: s.text, thinking: s.text, partial_json: s.text }),
});
const messageDelta = s.record({ usage: reportedUsage, delta: s.record({ stop_reason: s.name }) });
const wholeMessage = s.record({ type: s.name, usage: reportedUsage, content: s.records(blockFields) });

/** A call whose input is incomplete. */
interface OpenCall {
  readonly block: ContentBlock;
  json: string;
}

/** Ignores tools that the provider runs. */
class MessageGatherer implements AnswerGatherer {
  /** By block index. */
  readonly #open = new Map<unknown, OpenCall>();
  #usage: Usage | null = null;
  #hasFinished = false;
  #hasFailed = false;

  event(event: s.JsonRecord): readonly ChatPiece[] {
    switch (event.type) {
      case 'message_start':
        this.#count(s.read(messageStart, event).message.usage);
        return [];
      case 'content_block_start':
        return this.#begin(s.read(blockStart, event));
      case 'content_block_delta':
        return this.#goOn(s.read(blockDelta, event));
      case 'content_block_stop':
        return this.#close(event.index);
      case 'message_delta':
        this.#changeMessage(s.read(messageDelta, event));
        return [];
      case 'message_stop':
        this.#hasFinished = true;
        return [];
      case 'error':
        this.#hasFailed = true;
        return [];
      default:
        return [];
    }
  }

  whole(message: s.JsonRecord): readonly ChatPiece[] {
    const { type, usage, content } = s.read(wholeMessage, message);
    if (type !== 'message') return [];
    this.#count(usage);
    this.#hasFinished = true;
    return content.flatMap((block) => pieceOf(block, callOf(block, '')));
  }

  end(): AnswerEnd {
    const isWhole = this.#hasFinished && !this.#hasFailed;
    return { pieces: this.#usage ? [{ type: 'usage', usage: this.#usage }] : [], isWhole };
  }

  #begin({ index, content_block: block }: s.Read<typeof blockStart>): readonly ChatPiece[] {
    if (block.type !== 'tool_use') return pieceOf(block, []);
    this.#open.set(index, { block, json: '' });
    return [];
  }

  #goOn({ index, delta }: s.Read<typeof blockDelta>): readonly ChatPiece[] {
    const open = this.#open.get(index);
    if (delta.type === 'input_json_delta' && open) open.json += delta.partial_json;
    if (delta.type === 'text_delta') return textPiece('text', delta.text);
    return delta.type === 'thinking_delta' ? textPiece('reasoning', delta.thinking) : [];
  }

  #close(index: unknown): readonly ChatPiece[] {
    const open = this.#open.get(index);
    this.#open.delete(index);
    return open ? callOf(open.block, open.json) : [];
  }

  #changeMessage({ usage, delta }: s.Read<typeof messageDelta>): void {
    this.#count(usage);
    this.#hasFinished ||= delta.stop_reason !== null;
  }

  /** Reported counts are totals: a later one replaces an earlier one. */
  #count(usage: ReportedUsage): void {
    if (usage === null) return;
    const before = this.#usage ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    this.#usage = {
      input: usage.input_tokens ?? before.input,
      output: usage.output_tokens ?? before.output,
      cacheRead: usage.cache_read_input_tokens ?? before.cacheRead,
      cacheWrite: usage.cache_creation_input_tokens ?? before.cacheWrite,
    };
  }
}

function pieceOf(block: ContentBlock, call: readonly ChatPiece[]): readonly ChatPiece[] {
  if (block.type === 'tool_use') return call;
  if (block.type === 'text') return textPiece('text', block.text);
  return block.type === 'thinking' ? textPiece('reasoning', block.thinking) : [];
}

/** A complete block has its input. In a stream the input is empty at first and follows as pieces of JSON. */
function callOf({ id, name, input }: ContentBlock, json: string): ChatPiece[] {
  return [{ type: 'tool_call', callId: id, name, input: json === '' ? shownInput(input ?? {}) : callInput(json) }];
}

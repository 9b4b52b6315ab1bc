import type { Usage } from '../../../engine/conversation/entry';
import type { ChatPiece } from '../../../models/chat-model';
import * as s from '../../../sessions/records/schemas';
import { shownInput } from '../../../sessions/records/tool-input';
import { callInput } from '../call-input';
import type { AnswerReader } from '../protocol';
import { type AnswerEnd, type AnswerGatherer, answerReader, textPiece } from './reader';

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

/** Reads answers of Anthropic Messages. Ignores tools that the provider runs. */
export function anthropicAnswer(contentType: string): AnswerReader | null {
  return answerReader(contentType, new MessageGatherer());
}

/** A call whose input is incomplete. */
interface OpenCall {
  readonly block: ContentBlock;
  json: string;
}

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

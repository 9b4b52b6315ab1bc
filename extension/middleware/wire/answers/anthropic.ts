import type { Usage } from '../../../engine/conversation/entry';
import type { ChatPiece } from '../../../models/chat-model';
import { asCount, asName, asRecord, asRecords, asText, type JsonRecord } from '../../../sessions/records/json';
import { shownInput } from '../../../sessions/records/tool-input';
import { callInput } from '../call-input';
import type { AnswerReader } from '../protocol';
import { type AnswerEnd, type AnswerGatherer, answerReader } from './reader';

/** Reads answers of Anthropic Messages. Ignores tools that the provider runs. */
export function anthropicAnswer(contentType: string): AnswerReader | null {
  return answerReader(contentType, new MessageGatherer());
}

/** A call whose input is incomplete. */
interface OpenCall {
  readonly block: JsonRecord;
  json: string;
}

class MessageGatherer implements AnswerGatherer {
  /** By block index. */
  readonly #open = new Map<unknown, OpenCall>();
  #usage: Usage | null = null;
  #hasFinished = false;
  #hasFailed = false;

  event(event: JsonRecord): readonly ChatPiece[] {
    switch (event.type) {
      case 'message_start':
        this.#count(asRecord(event.message)?.usage);
        return [];
      case 'content_block_start':
        return this.#begin(event.index, asRecord(event.content_block) ?? {});
      case 'content_block_delta':
        return this.#goOn(event.index, asRecord(event.delta) ?? {});
      case 'content_block_stop':
        return this.#close(event.index);
      case 'message_delta':
        this.#count(event.usage);
        this.#hasFinished ||= asName(asRecord(event.delta)?.stop_reason) !== null;
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

  whole(message: JsonRecord): readonly ChatPiece[] {
    if (message.type !== 'message') return [];
    this.#count(message.usage);
    this.#hasFinished = true;
    return asRecords(message.content).flatMap((block) => pieceOf(block, callOf(block, '')));
  }

  end(): AnswerEnd {
    const isWhole = this.#hasFinished && !this.#hasFailed;
    return { pieces: this.#usage ? [{ type: 'usage', usage: this.#usage }] : [], isWhole };
  }

  #begin(index: unknown, block: JsonRecord): readonly ChatPiece[] {
    if (block.type !== 'tool_use') return pieceOf(block, []);
    this.#open.set(index, { block, json: '' });
    return [];
  }

  #goOn(index: unknown, delta: JsonRecord): readonly ChatPiece[] {
    const open = this.#open.get(index);
    if (delta.type === 'input_json_delta' && open) open.json += asText(delta.partial_json) ?? '';
    if (delta.type === 'text_delta') return textPiece('text', delta.text);
    return delta.type === 'thinking_delta' ? textPiece('reasoning', delta.thinking) : [];
  }

  #close(index: unknown): readonly ChatPiece[] {
    const open = this.#open.get(index);
    this.#open.delete(index);
    return open ? callOf(open.block, open.json) : [];
  }

  /** Reported counts are totals: a later one replaces an earlier one. */
  #count(reported: unknown): void {
    const usage = asRecord(reported);
    if (usage === null) return;
    const before = this.#usage ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    this.#usage = {
      input: asCount(usage.input_tokens) ?? before.input,
      output: asCount(usage.output_tokens) ?? before.output,
      cacheRead: asCount(usage.cache_read_input_tokens) ?? before.cacheRead,
      cacheWrite: asCount(usage.cache_creation_input_tokens) ?? before.cacheWrite,
    };
  }
}

function pieceOf(block: JsonRecord, call: readonly ChatPiece[]): readonly ChatPiece[] {
  if (block.type === 'tool_use') return call;
  if (block.type === 'text') return textPiece('text', block.text);
  return block.type === 'thinking' ? textPiece('reasoning', block.thinking) : [];
}

function textPiece(type: 'text' | 'reasoning', value: unknown): ChatPiece[] {
  const text = asName(value);
  return text === null ? [] : [{ type, text }];
}

/** A complete block has its input. In a stream the input is empty at first and follows as pieces of JSON. */
function callOf(block: JsonRecord, json: string): ChatPiece[] {
  const input = json === '' ? shownInput(block.input ?? {}) : callInput(json);
  return [{ type: 'tool_call', callId: asText(block.id) ?? '', name: asText(block.name) ?? '', input }];
}

import type { Usage } from '../../../engine/conversation/entry';
import type { ChatPiece } from '../../../models/chat-model';
import { asCount, asRecord, asRecords, type JsonRecord } from '../../../sessions/records/json';
import type { AnswerReader } from '../protocol';
import { type AnswerEnd, type AnswerGatherer, answerReader } from './reader';
import { deltaPiece, itemPieces } from './response-items';

/** Reads answers of OpenAI Responses. */
export function openAiResponsesAnswer(contentType: string): AnswerReader | null {
  return answerReader(contentType, new ResponseGatherer());
}

class ResponseGatherer implements AnswerGatherer {
  /** Types and indexes of streamed items, so that the finished item does not repeat them. */
  readonly #streamed = new Set<string>();
  #hasItems = false;
  #usage: Usage | null = null;
  #hasFinished = false;

  event(event: JsonRecord): readonly ChatPiece[] {
    switch (event.type) {
      case 'response.output_item.done':
        this.#hasItems = true;
        return this.#item(event);
      case 'response.completed':
      case 'response.incomplete':
        return this.whole(asRecord(event.response) ?? {});
      default:
        return this.#delta(event);
    }
  }

  whole(response: JsonRecord): readonly ChatPiece[] {
    this.#usage = usageIn(response.usage) ?? this.#usage;
    this.#hasFinished = response.status === 'completed' || response.status === 'incomplete';
    const isRepeated = this.#hasItems || this.#streamed.size > 0;
    return isRepeated ? [] : asRecords(response.output).flatMap(itemPieces);
  }

  end(): AnswerEnd {
    const pieces: ChatPiece[] = this.#usage ? [{ type: 'usage', usage: this.#usage }] : [];
    return { pieces, isWhole: this.#hasFinished };
  }

  #delta(event: JsonRecord): ChatPiece[] {
    const piece = deltaPiece(event);
    if (piece === null) return [];
    this.#streamed.add(`${piece.type}:${event.output_index}`);
    return [piece];
  }

  #item({ item, output_index }: JsonRecord): ChatPiece[] {
    const pieces = itemPieces(asRecord(item) ?? {});
    return pieces.filter(({ type }) => !this.#streamed.has(`${type}:${output_index}`));
  }
}

/** The provider's input tokens include the cached ones. */
function usageIn(reported: unknown): Usage | null {
  const usage = asRecord(reported);
  const input = asCount(usage?.input_tokens);
  const output = asCount(usage?.output_tokens);
  if (input === null || output === null) return null;
  const cacheRead = asCount(asRecord(usage?.input_tokens_details)?.cached_tokens) ?? 0;
  return { input: Math.max(0, input - cacheRead), output, cacheRead, cacheWrite: 0 };
}

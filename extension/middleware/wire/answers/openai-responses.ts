import type { Usage } from '../../../engine/conversation/entry';
import type { ChatPiece } from '../../../models/chat-model';
import * as s from '../../../sessions/records/schemas';
import type { AnswerReader } from '../protocol';
import { type AnswerEnd, type AnswerGatherer, answerReader } from './reader';
import { deltaPiece, itemPieces } from './response-items';

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

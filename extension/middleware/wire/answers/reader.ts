import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { ChatPiece } from '../../../models/chat-model';
import { asRecord, type JsonRecord } from '../../../sessions/records/json';
import type { AnswerReader } from '../protocol';

export type AnswerEnd = ReturnType<AnswerReader['end']>;

/** Gathers what one API says in an answer. */
export interface AnswerGatherer {
  /** One event of a stream. */
  event(event: JsonRecord): readonly ChatPiece[];
  /** The word by which some APIs end a stream: `[DONE]`. */
  last?(): void;
  /** All of an answer that was not streamed. */
  whole(answer: JsonRecord): readonly ChatPiece[];
  end(): AnswerEnd;
}

/** Reads a stream of events, or JSON; null for any other media type. */
export function answerReader(contentType: string, gatherer: AnswerGatherer): AnswerReader | null {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (type.trim() === 'text/event-stream') return new EventReader(gatherer);
  return /^application\/(?:[\w.-]+\+)?json$/.test(type.trim()) ? new JsonReader(gatherer) : null;
}

/** An answer is read so far and no further: something that never ends is no answer. In UTF-16 units. */
const longestRead = 64 * 1024 * 1024;

class EventReader implements AnswerReader {
  readonly #parser: EventSourceParser;
  #pieces: ChatPiece[] = [];
  #length = 0;

  constructor(private readonly gatherer: AnswerGatherer) {
    this.#parser = createParser({ onEvent: ({ data }) => this.#accept(data) });
  }

  read(text: string): readonly ChatPiece[] {
    this.#length += text.length;
    if (this.#length <= longestRead) this.#parser.feed(text);
    return this.#taken();
  }

  end(): AnswerEnd {
    // Some servers leave out the blank line behind the last event.
    this.#parser.feed('\n\n');
    const before = this.#taken();
    const { pieces, isWhole } = this.gatherer.end();
    return { pieces: [...before, ...pieces], isWhole: isWhole && this.#length <= longestRead };
  }

  #accept(data: string): void {
    if (data === '[DONE]') this.gatherer.last?.();
    const event = recordIn(data);
    if (event !== null) this.#pieces.push(...this.gatherer.event(event));
  }

  #taken(): readonly ChatPiece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

class JsonReader implements AnswerReader {
  #texts: string[] = [];
  #length = 0;

  constructor(private readonly gatherer: AnswerGatherer) {}

  read(text: string): readonly ChatPiece[] {
    this.#length += text.length;
    if (this.#length <= longestRead) this.#texts.push(text);
    return [];
  }

  end(): AnswerEnd {
    const answer = this.#length <= longestRead ? recordIn(this.#texts.join('')) : null;
    if (answer === null) return { pieces: [], isWhole: false };
    const before = this.gatherer.whole(answer);
    const { pieces, isWhole } = this.gatherer.end();
    return { pieces: [...before, ...pieces], isWhole };
  }
}

/** Null for what is no object: streams also carry words like `[DONE]`, and what a broken server sends. */
function recordIn(text: string): JsonRecord | null {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return null;
  }
}

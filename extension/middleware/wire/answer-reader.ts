import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { ChatPiece } from '../../models/chat-model';
import { parsedJson } from '../../platform/json/json-text';
import * as s from '../../platform/json/schemas';
import type { AnswerReader } from './protocol';
import { maxBodyBytes } from './relay-parts';

export type AnswerEnd = ReturnType<AnswerReader['end']>;

/** Collects the pieces of an answer of one API. */
export interface AnswerGatherer {
  /** One event of a stream. */
  event(event: s.JsonRecord): readonly ChatPiece[];
  /** Called for `[DONE]`, with which some APIs end a stream. */
  last?(): void;
  /** An answer that was not streamed. */
  whole(answer: s.JsonRecord): readonly ChatPiece[];
  end(): AnswerEnd;
}

/** A reader for event streams or JSON; null for other media types. */
export function answerReader(contentType: string, gatherer: AnswerGatherer): AnswerReader | null {
  const [type = ''] = contentType.toLowerCase().split(';');
  if (type.trim() === 'text/event-stream') return new EventReader(gatherer);
  return /^application\/(?:[\w.-]+\+)?json$/.test(type.trim()) ? new JsonReader(gatherer) : null;
}

class EventReader implements AnswerReader {
  readonly #parser: EventSourceParser;
  #pieces: ChatPiece[] = [];
  #length = 0;

  constructor(private readonly gatherer: AnswerGatherer) {
    this.#parser = createParser({ onEvent: ({ data }) => this.#accept(data) });
  }

  read(text: string): readonly ChatPiece[] {
    this.#length += text.length;
    if (this.#length <= maxBodyBytes) this.#parser.feed(text);
    return this.#taken();
  }

  end(): AnswerEnd {
    // Some servers omit the blank line after the last event.
    this.#parser.feed('\n\n');
    const before = this.#taken();
    const { pieces, isWhole } = this.gatherer.end();
    return { pieces: [...before, ...pieces], isWhole: isWhole && this.#length <= maxBodyBytes };
  }

  #accept(data: string): void {
    // Parsing it would fail, which takes longer than parsing an event.
    const isLast = data === '[DONE]';
    if (isLast) this.gatherer.last?.();
    const event = isLast ? null : recordIn(data);
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
    if (this.#length <= maxBodyBytes) this.#texts.push(text);
    return [];
  }

  end(): AnswerEnd {
    const answer = this.#length <= maxBodyBytes ? recordIn(this.#texts.join('')) : null;
    if (answer === null) return { pieces: [], isWhole: false };
    const before = this.gatherer.whole(answer);
    const { pieces, isWhole } = this.gatherer.end();
    return { pieces: [...before, ...pieces], isWhole };
  }
}

export function textPiece<Type extends 'text' | 'reasoning'>(type: Type, text: string): { type: Type; text: string }[] {
  return text === '' ? [] : [{ type, text }];
}

/** Null if the text is not a JSON object, such as the output of a broken server. */
function recordIn(text: string): s.JsonRecord | null {
  return s.read(s.jsonRecord, parsedJson(text));
}

import type { Usage } from '../../../engine/conversation/entry';
import type { ChatPiece } from '../../../models/chat-model';
import { type AnswerEvent, eventsOfChunk, eventsOfCompletion, usageOf } from '../../../models/openai/chat-events';
import { type AssembledCall, ToolCallAssembly } from '../../../models/openai/tool-call-assembly';
import * as s from '../../../sessions/records/schemas';
import { callInput } from '../call-input';
import type { AnswerReader } from '../protocol';
import { type AnswerEnd, type AnswerGatherer, answerReader } from './reader';

const chatChunk = s.record({ error: s.jsonRecord, choices: s.list });
const chatChoice = s.record({ index: s.countOrZero });

/** Reads answers of OpenAI Chat Completions. */
export function openAiChatAnswer(contentType: string): AnswerReader | null {
  return answerReader(contentType, new ChatGatherer());
}

class ChatGatherer implements AnswerGatherer {
  readonly #calls = new ToolCallAssembly();
  #usage: Usage | null = null;
  /** Some servers report usage so far with every chunk; it is the total only at the end. */
  #isTotal = false;
  #hasFinished = false;
  #hasFailed = false;

  event(chunk: s.JsonRecord): readonly ChatPiece[] {
    const { error, choices } = s.read(chatChunk, chunk);
    this.#hasFailed ||= error !== null;
    this.#isTotal ||= choices.length === 0;
    // If a client asks for several answers at once, only the first is stored.
    return s.read(chatChoice, choices[0]).index > 0 ? [] : this.#taken([...eventsOfChunk(chunk)]);
  }

  last(): void {
    this.#hasFinished = true;
  }

  whole(answer: s.JsonRecord): readonly ChatPiece[] {
    return this.#taken(eventsOfCompletion(answer) ?? []);
  }

  /** Calls are known to be complete only at the end. */
  end(): AnswerEnd {
    const isWhole = this.#hasFinished && !this.#hasFailed;
    const calls = isWhole ? this.#calls.calls.map(callPiece) : [];
    const usage = this.#isTotal || this.#hasFinished ? this.#usage : null;
    return { pieces: usage ? [...calls, { type: 'usage', usage }] : calls, isWhole };
  }

  #taken(events: readonly AnswerEvent[]): ChatPiece[] {
    return events.flatMap((event) => this.#accept(event));
  }

  #accept(event: AnswerEvent): ChatPiece[] {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return [{ type: 'text', text: event.text }];
      case 'reasoning':
        return [{ type: 'reasoning', text: event.text }];
      case 'tool-call':
        this.#calls.add(event.delta);
        return [];
      case 'finished':
        this.#hasFinished = true;
        return [];
      case 'usage':
        this.#usage = usageOf(event);
        return [];
    }
  }
}

function callPiece({ id, name, arguments: text, isCustom }: AssembledCall): ChatPiece {
  return { type: 'tool_call', callId: id, name, input: isCustom ? text : callInput(text) };
}

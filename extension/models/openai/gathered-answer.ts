import type { ReasoningPart, TextPart, Usage } from '../../engine/conversation/entry';
import { type AnswerEvent, usageOf } from './chat-events';
import { type AssembledCall, ToolCallAssembly } from './tool-call-assembly';

/** Gathers the events of an answer. Text and reasoning are passed on at once; the rest is known at the end. */
export class GatheredAnswer {
  readonly #calls = new ToolCallAssembly();
  /** Why the answer ended; null until the server reports it. */
  finish: string | null = null;
  usage: Usage | null = null;

  get calls(): readonly AssembledCall[] {
    return this.#calls.calls;
  }

  accept(event: AnswerEvent): TextPart | ReasoningPart | null {
    switch (event.kind) {
      case 'text':
      case 'refusal':
        return { type: 'text', text: event.text };
      case 'reasoning':
        return { type: 'reasoning', text: event.text };
      case 'tool-call':
        this.#calls.add(event.delta);
        return null;
      case 'finished':
        this.finish = event.reason;
        return null;
      case 'usage':
        this.usage = usageOf(event);
        return null;
    }
  }
}

import { type Entry, toolCalls } from '../../engine/conversation/entry';
import { append } from './append';

/** Messages in the order in which an agent sends them: each call followed by its result. */
export class PairedContext {
  readonly #entries: Entry[] = [];
  #reply: Entry | null = null;
  readonly #unanswered = new Map<string, string>();
  /** A prompt between a call and its result is sent after the result. */
  #held: Entry[] = [];

  /** `missing` is what the agent says where a call never got a result and work went on. */
  constructor(private readonly missing: string) {}

  reply(entry: Entry | null): void {
    this.#close();
    if (entry === null) return;
    this.#entries.push(entry);
    this.#reply = entry;
    for (const call of toolCalls(entry.parts)) this.#unanswered.set(call.callId, call.name);
  }

  /** A result whose call is not sent, or was answered before, would be refused by the provider. */
  result(entry: Entry): void {
    const [part] = entry.parts;
    if (part?.type === 'tool_result' && this.#unanswered.delete(part.callId)) this.#entries.push(entry);
  }

  prompt(entry: Entry): void {
    if (this.#unanswered.size > 0) this.#held.push(entry);
    else this.#entries.push(entry);
  }

  text(entry: Entry): void {
    this.#close();
    this.#entries.push(entry);
  }

  /** The newest reply's calls may still be running, so they stay without results. */
  end(): Entry[] {
    return [...this.#entries, ...this.#held];
  }

  #close(): void {
    if (this.#reply !== null) {
      for (const [callId, name] of this.#unanswered) this.#entries.push(this.#missingResult(this.#reply, callId, name));
    }
    this.#unanswered.clear();
    append(this.#entries, this.#held);
    this.#held = [];
    this.#reply = null;
  }

  /** It stands in no record, so its origin is that of the call. */
  #missingResult(reply: Entry, callId: string, name: string): Entry {
    return {
      id: `${reply.id}:no-result:${callId}`,
      role: 'tool',
      parts: [{ type: 'tool_result', callId, name, text: this.missing, isError: true }],
      timestamp: null,
      origin: reply.origin,
    };
  }
}

import { type Entry, toolCalls } from '../../engine/conversation/entry';
import { append } from '../../platform/json/append';
import { missingResult } from './missing-result';

/** Builds the list of messages that an agent sends, in which each call is followed by its result. */
export class PairedContext {
  readonly #entries: Entry[] = [];
  #reply: Entry | null = null;
  readonly #unanswered = new Map<string, string>();
  /** Prompts between a call and its result; they are sent after the result. */
  #held: Entry[] = [];

  /** @param missing the text that the agent sends for a call without a result after which work went on, if it is known. */
  constructor(private readonly missing = 'No result: the tool was interrupted before it answered.') {}

  /** Adds an entry by its role: a reply, a result, or a text that ends the reply before it. */
  add(entry: Entry): void {
    if (entry.role === 'assistant') this.reply(entry);
    else if (entry.role === 'tool') this.result(entry);
    else this.text(entry);
  }

  /** Null for a reply that is not sent but ends the one before it. */
  reply(entry: Entry | null): void {
    this.#close();
    if (entry === null) return;
    this.#entries.push(entry);
    this.#reply = entry;
    for (const call of toolCalls(entry.parts)) this.#unanswered.set(call.callId, call.name);
  }

  /** Leaves out a result whose call is not sent or has a result already: the provider would refuse it. */
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
    const reply = this.#reply;
    this.#reply = null;
    // Most replies have all of their results, and clearing an empty map takes as long as clearing a full one.
    if (this.#unanswered.size === 0 && this.#held.length === 0) return;
    if (reply !== null) {
      for (const [callId, name] of this.#unanswered)
        this.#entries.push(missingResult(reply, { callId, name, text: this.missing }));
    }
    this.#unanswered.clear();
    append(this.#entries, this.#held);
    this.#held = [];
  }
}

import { type Entry, toolCalls } from '../../../engine/conversation/entry';
import { PairedContext } from '../../../sessions/records/paired-context';

/** Copilot (1.0.102) sends this as the result of a call without one, if later messages follow it. */
const lostResult =
  'Tool execution was interrupted before a result was recorded. Its effects may be absent, partial, or already complete, ' +
  'and other tools may have completed successfully. Check the current state before retrying; do not assume success or ' +
  'replay this operation blindly.';

/** The messages that Copilot sends, without the system prompt, while its events are read in order. */
export class EventContext {
  #messages: Entry[] = [];
  /** Number of messages at the start of a compaction. Later ones are kept. */
  readonly #starts = new Map<string | null, number>();

  get messages(): readonly Entry[] {
    return this.#messages;
  }

  add(entry: Entry): void {
    this.#messages.push(entry);
  }

  /** The rest of a reply that came in several events. */
  replaceLast(entry: Entry): void {
    this.#messages[this.#messages.length - 1] = entry;
  }

  beginCompaction(attempt: string | null): void {
    this.#starts.set(attempt, this.#messages.length);
  }

  /**
   * Replaces the messages that existed when the compaction began by the summary. Returns the ids of the replaced ones.
   */
  compact(attempt: string | null, summary: Entry): string[] {
    const end = this.#starts.get(attempt) ?? this.#messages.length;
    this.#starts.clear();
    const replaced = this.#messages.slice(0, end);
    this.#messages = [summary, ...this.#messages.slice(end)];
    return withResultsInOrder(replaced).map(({ id }) => id);
  }

  /** Removes everything except the system prompt. Returns the removed ids. */
  clear(): string[] {
    this.#starts.clear();
    const replaced = withResultsInOrder(this.#messages).map(({ id }) => id);
    this.#messages = [];
    return replaced;
  }

  /**
   * The messages as they are sent: results follow their reply in the order of its calls. The file has them in the order in
   * which they ended.
   */
  sent(): Entry[] {
    const context = new PairedContext(lostResult);
    for (const entry of withResultsInOrder(this.#messages)) context.add(entry);
    return context.end();
  }

  awaitsReply(): boolean {
    const last = this.#messages.findLast(({ injected, summary }) => !injected && !summary);
    if (last === undefined) return false;
    return last.role === 'assistant' ? toolCalls(last.parts).length > 0 : true;
  }
}

function withResultsInOrder(messages: readonly Entry[]): Entry[] {
  const ordered: Entry[] = [];
  let order = new Map<string, number>();
  for (const [index, entry] of messages.entries()) {
    if (entry.role === 'assistant')
      order = new Map(toolCalls(entry.parts).map(({ callId }, position) => [callId, position]));
    if (entry.role === 'tool' && messages[index - 1]?.role === 'tool') insertResult(ordered, entry, order);
    else ordered.push(entry);
  }
  return ordered;
}

function insertResult(ordered: Entry[], entry: Entry, order: ReadonlyMap<string, number>): void {
  let at = ordered.length;
  while (at > 0 && ordered[at - 1]?.role === 'tool' && positionOf(ordered[at - 1], order) > positionOf(entry, order))
    at -= 1;
  ordered.splice(at, 0, entry);
}

function positionOf(entry: Entry | undefined, order: ReadonlyMap<string, number>): number {
  const [part] = entry?.parts ?? [];
  return part?.type === 'tool_result' ? (order.get(part.callId) ?? 0) : 0;
}

import type { Entry } from '../../../engine/conversation/entry';
import type { JsonRecord } from '../../../platform/json/schemas';

/** Records of messages that only the queue contains: see `MessageQueue`. Other records of the queue are not copied. */
export class QueuedRecords {
  /** The line of the reply to each user entry, by the entry's line. */
  readonly #replies = new Map<number, number>();
  readonly #ofReply = new Map<number, JsonRecord[]>();

  constructor(entries: readonly Entry[]) {
    let reply: Entry | null = null;
    for (const entry of [...entries].reverse()) {
      if (entry.role === 'assistant') reply = entry;
      else if (entry.role === 'user' && reply !== null) this.#replies.set(entry.origin.line, reply.origin.line);
    }
  }

  note(record: JsonRecord, line: number): void {
    const reply = record.type === 'queue-operation' ? this.#replies.get(line) : undefined;
    if (reply !== undefined) this.#ofReply.set(reply, [...(this.#ofReply.get(reply) ?? []), record]);
  }

  /** Records that put the messages into the queue and take them out, for the place before the reply at this line. */
  before(line: number): JsonRecord[] {
    return (this.#ofReply.get(line) ?? []).flatMap((record) => [record, { ...record, operation: 'remove' }]);
  }
}

import type { Entry } from '../../../engine/conversation/entry';
import type { JsonRecord } from '../../records/schemas';

/** The messages that only records of the queue say: see `MessageQueue`. A branch has no other records of the queue. */
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

  /** Into the queue and out of it, in front of the reply at this line. */
  before(line: number): JsonRecord[] {
    return (this.#ofReply.get(line) ?? []).flatMap((record) => [record, { ...record, operation: 'remove' }]);
  }
}

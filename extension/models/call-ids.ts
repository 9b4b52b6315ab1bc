import type { ContextMessage } from '../engine/conversation/context';
import { toolCalls } from '../engine/conversation/entry';

/** Mistral requires ids of exactly nine letters and digits. All other servers accept them. */
const idLength = 9;

function randomId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, idLength);
}

/** Gives each tool call a unique id: some servers give none, others reuse them. */
export class CallIds {
  readonly #taken: Set<string>;

  constructor(
    messages: readonly ContextMessage[],
    private readonly newId: () => string = randomId,
  ) {
    this.#taken = new Set(messages.flatMap(({ parts }) => toolCalls(parts)).map(({ callId }) => callId));
  }

  /** Returns the given id if it is valid and unused. */
  claim(id: string): string {
    let free = id;
    while (free === '' || this.#taken.has(free)) free = this.newId();
    this.#taken.add(free);
    return free;
  }
}

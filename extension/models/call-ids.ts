import type { ContextMessage } from '../engine/conversation/context';
import { toolCalls } from '../engine/conversation/entry';

/** Mistral takes ids of exactly nine letters and digits, which suit all others. */
const idLength = 9;

function randomId(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(0, idLength);
}

/** Gives each tool call an id of its own: some servers give none, others the same one again and again. */
export class CallIds {
  readonly #taken: Set<string>;

  constructor(
    messages: readonly ContextMessage[],
    private readonly newId: () => string = randomId,
  ) {
    this.#taken = new Set(messages.flatMap(({ parts }) => toolCalls(parts)).map(({ callId }) => callId));
  }

  /** The id itself where it is one and is free. */
  claim(id: string): string {
    let free = id;
    while (free === '' || this.#taken.has(free)) free = this.newId();
    this.#taken.add(free);
    return free;
  }
}

interface OpenCall {
  readonly callId: string;
  isAnswered: boolean;
}

/** Unanswered calls, oldest first. Each call is visited once. */
class CallQueue {
  readonly #calls: OpenCall[] = [];
  #next = 0;

  add(call: OpenCall): void {
    this.#calls.push(call);
  }

  /** The oldest call that was not answered through another queue. */
  take(): OpenCall | null {
    while (this.#next < this.#calls.length) {
      const call = this.#calls[this.#next];
      this.#next += 1;
      if (call !== undefined && !call.isAnswered) return call;
    }
    return null;
  }
}

/**
 * Assigns ids to calls, which may lack one in the file. Such a call gets a generated id; a result without an id answers
 * the oldest unanswered call with a generated id and the same name.
 */
export class CallIds {
  readonly #open = new CallQueue();
  readonly #openByName = new Map<string, CallQueue>();
  #generated = 0;

  ofCall(id: string | null, name: string): string {
    if (id !== null) return id;
    this.#generated += 1;
    const call = { callId: `${name}-without-id-${this.#generated}`, isAnswered: false };
    this.#open.add(call);
    this.#queueOf(name).add(call);
    return call.callId;
  }

  /** Null if no open call matches. A result without a name answers the oldest open call. */
  ofResult(id: string | null, name: string | null): string | null {
    if (id !== null) return id;
    const call = name === null ? this.#open.take() : (this.#openByName.get(name)?.take() ?? null);
    if (call === null) return null;
    call.isAnswered = true;
    return call.callId;
  }

  #queueOf(name: string): CallQueue {
    const known = this.#openByName.get(name);
    if (known !== undefined) return known;
    const queue = new CallQueue();
    this.#openByName.set(name, queue);
    return queue;
  }
}

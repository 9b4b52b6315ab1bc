interface OpenCall {
  readonly callId: string;
  isAnswered: boolean;
}

/** Calls that await a result, the oldest first. Each is looked at once. */
class CallQueue {
  readonly #calls: OpenCall[] = [];
  #next = 0;

  add(call: OpenCall): void {
    this.#calls.push(call);
  }

  /** The oldest one that no other queue has given away. */
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
 * Ids of calls for contents that may leave them out: such a call gets a made-up one, and a result without an id belongs
 * to the oldest unanswered such call of its name.
 */
export class CallIds {
  readonly #open = new CallQueue();
  readonly #openByName = new Map<string, CallQueue>();
  #madeUp = 0;

  ofCall(id: string | null, name: string): string {
    if (id !== null) return id;
    this.#madeUp += 1;
    const call = { callId: `${name}-without-id-${this.#madeUp}`, isAnswered: false };
    this.#open.add(call);
    this.#queueOf(name).add(call);
    return call.callId;
  }

  /** Null for a result that no call asked for. One that tells no name belongs to the oldest of all. */
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

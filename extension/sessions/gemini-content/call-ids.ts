interface OpenCall {
  readonly callId: string;
  readonly name: string;
}

/**
 * Ids of calls for contents that may leave them out: such a call gets a made-up one, and a result without an id belongs
 * to the oldest unanswered such call of its name.
 */
export class CallIds {
  readonly #open: OpenCall[] = [];
  #madeUp = 0;

  ofCall(id: string | null, name: string): string {
    if (id !== null) return id;
    this.#madeUp += 1;
    const callId = `${name}-without-id-${this.#madeUp}`;
    this.#open.push({ callId, name });
    return callId;
  }

  /** Null for a result that no call asked for. */
  ofResult(id: string | null, name: string | null): string | null {
    if (id !== null) return id;
    const index = this.#open.findIndex((call) => name === null || call.name === name);
    return index < 0 ? null : (this.#open.splice(index, 1)[0]?.callId ?? null);
  }
}

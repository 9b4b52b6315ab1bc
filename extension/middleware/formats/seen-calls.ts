/** The tool calls of the messages that were read so far, which name the results that follow. */
export class SeenCalls {
  readonly #names = new Map<string, string>();
  /** For each call, the name that its id had before. */
  readonly #before: [callId: string, name: string | undefined][] = [];
  /** Legacy function calls have no ids; a result belongs to the newest call. */
  functionCalls = 0;

  get names(): ReadonlyMap<string, string> {
    return this.#names;
  }

  add(callId: string, name: string): void {
    this.#before.push([callId, this.#names.get(callId)]);
    this.#names.set(callId, name);
  }

  /** Forgets all calls but the first ones. */
  keepFirst(count: number): void {
    for (const [callId, name] of this.#before.splice(count).reverse()) {
      if (name === undefined) this.#names.delete(callId);
      else this.#names.set(callId, name);
    }
  }

  copy(): SeenCalls {
    const copy = new SeenCalls();
    copy.functionCalls = this.functionCalls;
    for (const [callId, name] of this.#names) copy.#names.set(callId, name);
    copy.#before.push(...this.#before);
    return copy;
  }
}

/** Counts how often other work gets a turn on the event loop. */
export class LoopTurns {
  count = 0;
  #next = setImmediate(() => this.#turn());

  #turn(): void {
    this.count += 1;
    this.#next = setImmediate(() => this.#turn());
  }

  stop(): void {
    clearImmediate(this.#next);
  }
}

/**
 * How the version of the program that writes a session tells that a reply is whole. 2.1.330 writes the rows of a reply
 * when it has ended, with the reason why; 2.1.14 writes each block when it is there, and no reason, ever; a session
 * with hooks then has a row behind the last reply of a turn.
 */
export class ReplyEnds {
  #tellsReasons = false;
  #marksTurns = false;
  #firstWithoutReason: string | null = null;

  noteReply(id: string, stopReason: unknown): void {
    if (typeof stopReason === 'string') this.#tellsReasons = true;
    else if (stopReason === null) this.#firstWithoutReason ??= id;
  }

  noteTurn(): void {
    this.#marksTurns = true;
  }

  /** Whether the end of this reply would be told. Nothing is known yet of a version by its first reply: in doubt, yes. */
  areTold(id: string): boolean {
    return this.#tellsReasons || this.#marksTurns || this.#firstWithoutReason === id;
  }
}

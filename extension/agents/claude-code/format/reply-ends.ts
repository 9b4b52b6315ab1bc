/**
 * Detects whether the version that writes a session marks the end of replies. 2.1.330 writes the rows of a reply when
 * it is complete, with the stop reason; 2.1.14 writes each block when it arrives, always without a reason; sessions
 * with hooks have a row after the last reply of a turn.
 */
export class ReplyEnds {
  #hasReasons = false;
  #marksTurns = false;
  #firstWithoutReason: string | null = null;

  noteReply(id: string, stopReason: unknown): void {
    if (typeof stopReason === 'string') this.#hasReasons = true;
    else if (stopReason === null) this.#firstWithoutReason ??= id;
  }

  noteTurn(): void {
    this.#marksTurns = true;
  }

  /**
   * Whether the file would show the end of this reply. Until a second reply tells more about the version, the answer is
   * yes.
   */
  marksEndOf(id: string): boolean {
    return this.#hasReasons || this.#marksTurns || this.#firstWithoutReason === id;
  }
}

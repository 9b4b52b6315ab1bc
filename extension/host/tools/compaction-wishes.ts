/** Compactions that agents requested for the end of the turn, at most one per session. Not kept after the window closes. */
export class CompactionWishes {
  readonly #reasons = new Map<string, string>();

  /** `session`: path of the session file. */
  add(session: string, reason: string): void {
    this.#reasons.set(session, reason);
  }

  /** Removes and returns the reason; null if there is no request. */
  take(session: string): string | null {
    const reason = this.#reasons.get(session) ?? null;
    this.#reasons.delete(session);
    return reason;
  }
}

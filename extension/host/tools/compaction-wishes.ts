/** The compactions that agents asked for, one for each session, until the turn is over. Lost with the window: a wish is no order. */
export class CompactionWishes {
  readonly #reasons = new Map<string, string>();

  /** `session`: the path of its file. */
  add(session: string, reason: string): void {
    this.#reasons.set(session, reason);
  }

  /** The reason, once; null where nobody asked. */
  take(session: string): string | null {
    const reason = this.#reasons.get(session) ?? null;
    this.#reasons.delete(session);
    return reason;
  }
}

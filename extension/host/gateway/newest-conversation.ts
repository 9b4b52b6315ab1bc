/** The conversation of the newest request, for the command that shows it. */
export class NewestConversation {
  #id: string | null = null;
  #isAwaited = false;

  /** `preserveFocus`: the person is doing something else by now. */
  constructor(private readonly show: (id: string, preserveFocus: boolean) => unknown) {}

  get id(): string | null {
    return this.#id;
  }

  /** False without a conversation yet; then the first one is shown when it arrives. */
  async showNow(): Promise<boolean> {
    this.#isAwaited = this.#id === null;
    if (this.#id === null) return false;
    await this.show(this.#id, false);
    return true;
  }

  /** Called when no conversation will come. */
  stopAwaiting(): void {
    this.#isAwaited = false;
  }

  note(id: string | null): void {
    if (id === null) return;
    this.#id = id;
    if (!this.#isAwaited) return;
    this.#isAwaited = false;
    void this.show(id, true);
  }
}

/** The conversation that a request came for last, to be shown once somebody asks for it. */
export class NewestConversation {
  #id: string | null = null;
  #isAwaited = false;

  constructor(private readonly show: (id: string) => unknown) {}

  get id(): string | null {
    return this.#id;
  }

  /** False where there is none yet: then the first one is shown as soon as it is there. */
  async showNow(): Promise<boolean> {
    this.#isAwaited = this.#id === null;
    if (this.#id === null) return false;
    await this.show(this.#id);
    return true;
  }

  /** None will come. */
  awaitNoLonger(): void {
    this.#isAwaited = false;
  }

  note(id: string | null): void {
    if (id === null) return;
    this.#id = id;
    if (!this.#isAwaited) return;
    this.#isAwaited = false;
    void this.show(id);
  }
}

/** A long conversation takes some megabytes of memory. */
const mostOpen = 30;

interface Open<C> {
  readonly opening: Promise<C>;
  /** Null until it is open. */
  conversation: C | null;
}

/** Conversations that are open, each once. Of too many the one is let go of that was used longest ago. */
export class OpenConversations<C extends { readonly id: string; refresh(): Promise<void> }> {
  /** The one that was used last at the end. */
  readonly #open = new Map<string, Open<C>>();

  /** `opened` is told of each that was opened here. */
  constructor(private readonly opened: (conversation: C) => void = () => undefined) {}

  /** The one that was used last at the end. */
  get all(): readonly C[] {
    return [...this.#open.values()].flatMap(({ conversation }) => conversation ?? []);
  }

  /** A conversation that is being made, or opened. */
  async take(id: string, opening: Promise<C>): Promise<C> {
    const open: Open<C> = { opening, conversation: null };
    this.#open.set(id, open);
    try {
      open.conversation = await opening;
      this.#use(id);
      this.opened(open.conversation);
      return open.conversation;
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  /** As it stands now. `read` opens it where it is not open. */
  async open(id: string, read: () => Promise<C>): Promise<C> {
    const conversation = await (this.#open.get(id)?.opening ?? this.take(id, read()));
    this.#use(id);
    try {
      await conversation.refresh();
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
    return conversation;
  }

  #use(id: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#open.set(id, open);
    const [oldest] = this.#open.keys();
    if (this.#open.size > mostOpen && oldest !== undefined) this.#open.delete(oldest);
  }
}

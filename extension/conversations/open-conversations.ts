/** A long conversation takes some megabytes of memory. */
const usuallyOpen = 30;

interface Open<C> {
  readonly opening: Promise<C>;
  /** Null until it is open. */
  conversation: C | null;
}

/** Opens each conversation only once. Closes the least recently used one if there are too many. */
export class OpenConversations<C extends { readonly id: string; refresh(): Promise<void> }> {
  /** Ordered by use, most recent last. */
  readonly #open = new Map<string, Open<C>>();

  /** `opened` is called for each conversation that was opened here. */
  constructor(
    private readonly opened: (conversation: C) => void = () => undefined,
    private readonly most = usuallyOpen,
  ) {}

  /** Ordered by use, most recent last. */
  get all(): readonly C[] {
    return [...this.#open.values()].flatMap(({ conversation }) => conversation ?? []);
  }

  /** Registers a conversation that is being created or opened. */
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

  /** The conversation, refreshed. `read` opens it if necessary. */
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
    if (this.#open.size > this.most && oldest !== undefined) this.#open.delete(oldest);
  }
}

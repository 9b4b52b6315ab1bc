import { SessionGone } from '../sessions/session-gone';
import { ConversationGone } from './shelves/shelf';

/** How much is held open. */
interface OpenLimits {
  readonly conversations: number;
  /** Memory as `ServedConversation.bytes` estimates it. A single conversation may have more. */
  readonly bytes: number;
}

const defaultLimits: OpenLimits = { conversations: 30, bytes: Number.POSITIVE_INFINITY };

interface Openable {
  readonly id: string;
  /** Estimated memory. */
  readonly bytes: number;
  refresh(): Promise<void>;
}

interface Open<C> {
  readonly opening: Promise<C>;
  /** Null until it is open. */
  conversation: C | null;
}

/** Opens each conversation only once. Closes the least recently used ones if they are too many or too long. */
export class OpenConversations<C extends Openable> {
  /** Ordered by use, most recent last. */
  readonly #open = new Map<string, Open<C>>();

  /** `opened` is called for each conversation that was opened here. */
  constructor(
    private readonly opened: (conversation: C) => void = () => undefined,
    private readonly limits = defaultLimits,
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

  /** The conversation, refreshed. `read` opens it if necessary, and again if it was deleted since. */
  async open(id: string, read: () => Promise<C>): Promise<C> {
    const known = this.#open.get(id);
    if (known === undefined) return await this.#refreshed(id, await this.take(id, read()));
    try {
      return await this.#refreshed(id, await known.opening);
    } catch (error) {
      if (!(error instanceof ConversationGone || error instanceof SessionGone)) throw error;
      return await (this.#open.get(id)?.opening ?? this.take(id, read()));
    }
  }

  async #refreshed(id: string, conversation: C): Promise<C> {
    this.#use(id);
    try {
      await conversation.refresh();
    } catch (error) {
      if (this.#open.get(id)?.conversation === conversation) this.#open.delete(id);
      throw error;
    }
    return conversation;
  }

  #use(id: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#open.set(id, open);
    let bytes = this.all.reduce((total, conversation) => total + conversation.bytes, 0);
    for (const [oldest, { conversation }] of this.#open) {
      const isWithin = this.#open.size <= this.limits.conversations && bytes <= this.limits.bytes;
      if (this.#open.size === 1 || isWithin) break;
      this.#open.delete(oldest);
      bytes -= conversation?.bytes ?? 0;
    }
  }
}

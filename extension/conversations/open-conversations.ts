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
  /** Its size when it was last measured. */
  bytes: number;
}

/** Conversations also grow while others are used. Measuring all for each use took a tenth of the time of 200 agents. */
const usesUntilAllAreMeasured = 50;

/** Opens each conversation only once. Closes the least recently used ones if they are too many or too long. */
export class OpenConversations<C extends Openable> {
  /** Ordered by use, most recent last. */
  readonly #open = new Map<string, Open<C>>();
  /** The bytes of all of them, as measured. */
  #bytes = 0;
  #uses = 0;
  #newest: Open<C> | null = null;

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
    const open: Open<C> = { opening, conversation: null, bytes: 0 };
    this.#open.set(id, open);
    try {
      open.conversation = await opening;
      this.#use(id);
      this.opened(open.conversation);
      return open.conversation;
    } catch (error) {
      this.#close(id);
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
      if (this.#open.get(id)?.conversation === conversation) this.#close(id);
      throw error;
    }
    return conversation;
  }

  #use(id: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#open.set(id, open);
    this.#measureSome(open);
    for (const oldest of this.#open.keys()) {
      const isWithin = this.#open.size <= this.limits.conversations && this.#bytes <= this.limits.bytes;
      if (this.#open.size === 1 || isWithin) break;
      this.#close(oldest);
    }
  }

  /** The one that is used now, the one used before it, and sometimes all. */
  #measureSome(used: Open<C>): void {
    this.#uses += 1;
    const isTimeForAll = this.#uses % usesUntilAllAreMeasured === 0;
    for (const open of isTimeForAll ? this.#open.values() : [this.#newest, used])
      if (open !== null) this.#measure(open);
    this.#newest = used;
  }

  #measure(open: Open<C>): void {
    const bytes = open.conversation?.bytes ?? 0;
    this.#bytes += bytes - open.bytes;
    open.bytes = bytes;
  }

  #close(id: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    this.#open.delete(id);
    this.#bytes -= open.bytes;
    if (open === this.#newest) this.#newest = null;
  }
}

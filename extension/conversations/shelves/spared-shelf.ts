import { wordingOf } from '../../engine/wording/localizable-text';
import type { Beginning } from '../../sessions/strata/records';
import { Troubles } from '../troubles';
import {
  type ConversationShelf,
  type MemoryShelf,
  memoryShelf,
  nameOfConversation,
  type ShelvedConversation,
  usualShelf,
} from './shelf';

/** What is done with a conversation on its shelf. */
type Take<T> = (shelving: Promise<ShelvedConversation>) => Promise<T>;

export interface SparedNotices {
  readonly warn: (message: string) => void;
  /** Called for each conversation that is kept in memory instead. */
  readonly notKept: (beginning: Beginning, error: unknown) => void;
  /** One that was kept in memory instead is no longer there. */
  readonly evicted: (beginning: Beginning) => void;
}

/** Falls back to a shelf in memory if the given one fails, so that pins and compaction still work. */
export class SparedShelf {
  readonly #spare: MemoryShelf;
  readonly #troubles: Troubles;

  constructor(
    private readonly shelf: ConversationShelf,
    private readonly notices: SparedNotices,
  ) {
    this.#spare = memoryShelf(usualShelf, notices.evicted);
    this.#troubles = new Troubles(notices.warn);
  }

  beginnings(begins: string, scope?: string): Promise<Beginning[]> {
    return this.#all((shelf) => shelf.beginnings(begins, scope));
  }

  list(scope?: string): Promise<Beginning[]> {
    return this.#all((shelf) => shelf.list(scope));
  }

  async #all(ask: (shelf: ConversationShelf) => Promise<Beginning[]>): Promise<Beginning[]> {
    const spared = await ask(this.#spare);
    const shelved = await this.#onShelf(ask);
    return [...spared, ...shelved.filter(({ id }) => !this.#spare.has(id))];
  }

  async #onShelf(ask: (shelf: ConversationShelf) => Promise<Beginning[]>): Promise<Beginning[]> {
    try {
      return await ask(this.shelf);
    } catch (error) {
      this.#troubles.tell(`Conversations could not be looked up: ${wordingOf(error)}`);
      return [];
    }
  }

  /** Creates a conversation and passes it to `take`. If either fails, repeats both with the shelf in memory. */
  create<T>(beginning: Beginning, take: Take<T>): Promise<T> {
    return this.#spared(beginning, (shelf) => shelf.create(beginning), take);
  }

  /** The same for a conversation that may be there already. */
  async openOrCreate<T>(beginning: Beginning, take: Take<T>): Promise<T> {
    if (this.#spare.has(beginning.id)) return await take(this.#spare.openOrCreate(beginning));
    return await this.#spared(beginning, (shelf) => shelf.openOrCreate(beginning), take);
  }

  async #spared<T>(
    beginning: Beginning,
    shelve: (shelf: ConversationShelf) => Promise<ShelvedConversation>,
    take: Take<T>,
  ): Promise<T> {
    try {
      const taken = await take(shelve(this.shelf));
      this.#troubles.over();
      return taken;
    } catch (error) {
      this.#troubles.tell(
        `The conversation ${nameOfConversation(beginning)} could not be kept: ${wordingOf(error)} It is kept in memory, for as long as the program runs.`,
      );
      this.notices.notKept(beginning, error);
      return await take(this.#spare.create(beginning));
    }
  }

  open(id: string, scope?: string): Promise<ShelvedConversation> {
    return this.#spare.has(id) ? this.#spare.open(id, scope) : this.shelf.open(id, scope);
  }

  used(id: string): void {
    if (this.#spare.has(id)) this.#spare.used(id);
    else this.shelf.used?.(id);
  }
}

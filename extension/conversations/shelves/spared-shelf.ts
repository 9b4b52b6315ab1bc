import { wordingOf } from '../../engine/wording/localizable-text';
import type { Beginning } from '../../sessions/strata/records';
import { Troubles } from '../troubles';
import { type ConversationShelf, memoryShelf, type ShelvedConversation } from './shelf';

/** Falls back to a shelf in memory if the given one fails, so that pins and compaction still work. */
export class SparedShelf {
  readonly #spare = memoryShelf();
  readonly #troubles: Troubles;

  constructor(
    private readonly shelf: ConversationShelf,
    notify: (message: string) => void,
  ) {
    this.#troubles = new Troubles(notify);
  }

  async beginnings(begins: string): Promise<Beginning[]> {
    const spared = await this.#spare.beginnings(begins);
    const shelved = await this.#beginningsOnShelf(begins);
    return [...spared, ...shelved.filter(({ id }) => !this.#spare.has(id))];
  }

  async #beginningsOnShelf(begins: string): Promise<Beginning[]> {
    try {
      return await this.shelf.beginnings(begins);
    } catch (error) {
      this.#troubles.tell(`Conversations could not be looked up: ${wordingOf(error)}`);
      return [];
    }
  }

  /** Creates a conversation and passes it to `take`. If either fails, repeats both with the shelf in memory. */
  async create<T>(beginning: Beginning, take: (shelving: Promise<ShelvedConversation>) => Promise<T>): Promise<T> {
    try {
      const taken = await take(this.shelf.create(beginning));
      this.#troubles.over();
      return taken;
    } catch (error) {
      this.#troubles.tell(
        `A conversation could not be kept: ${wordingOf(error)} It is kept in memory, for as long as the program runs.`,
      );
      return await take(this.#spare.create(beginning));
    }
  }

  open(id: string): Promise<ShelvedConversation> {
    return this.#spare.has(id) ? this.#spare.open(id) : this.shelf.open(id);
  }

  used(id: string): void {
    if (this.#spare.has(id)) this.#spare.used(id);
    else this.shelf.used?.(id);
  }
}

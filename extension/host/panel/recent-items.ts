import type { Inspection } from '../../inspection/inspection';

/** The webview refers to something that no longer exists. A notification of the change is on its way. */
export class Outdated extends Error {
  override name = 'Outdated';
}

interface Remembered<Item> {
  readonly inspection: Inspection;
  readonly item: Item;
}

/** The newest items that were offered for a session, by id, so that exactly what was shown can be carried out. */
export class RecentItems<Item> {
  readonly #items = new Map<string, Remembered<Item>>();
  #last = 0;

  constructor(
    private readonly most: number,
    /** Messages for the person about an item that no longer exists, or belongs to another session. */
    private readonly texts: { readonly gone: () => string; readonly ofOther: () => string },
  ) {}

  remember(inspection: Inspection, item: Item): string {
    this.#last += 1;
    const id = String(this.#last);
    this.#items.set(id, { inspection, item });
    for (const oldest of [...this.#items.keys()].slice(0, -this.most)) this.#items.delete(oldest);
    return id;
  }

  /** Throws `Outdated`. */
  read(inspection: Inspection, id: string): Item {
    const remembered = this.#items.get(id);
    if (!remembered) throw new Outdated(this.texts.gone());
    if (remembered.inspection !== inspection) throw new Outdated(this.texts.ofOther());
    return remembered.item;
  }

  /** Call after applying, because a run cannot be applied twice. */
  forget(id: string): void {
    this.#items.delete(id);
  }

  /** Call when another session is opened, to free the memory of the previous one. */
  clear(): void {
    this.#items.clear();
  }
}

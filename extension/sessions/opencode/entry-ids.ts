/** What an entry is made of. Within one kind, ids do not repeat: they are keys of one table. */
export type EntryKind = 'message' | 'step' | 'part' | 'no result';

/** Ids that occur once in a conversation. The same thing has the same one each time. */
export class EntryIds {
  readonly #owners = new Map<string, EntryKind | 'copy'>();
  /** By the kind and the id that another kind had already. */
  readonly #copies = new Map<string, string>();

  of(kind: EntryKind, id: string): string {
    const owner = this.#owners.get(id);
    if (owner === kind) return id;
    if (owner !== undefined) return this.#copyOf(kind, id);
    this.#owners.set(id, kind);
    return id;
  }

  #copyOf(kind: EntryKind, id: string): string {
    const known = this.#copies.get(`${kind} ${id}`);
    if (known !== undefined) return known;
    let number = 2;
    while (this.#owners.has(`${id}#${number}`)) number += 1;
    const copy = `${id}#${number}`;
    this.#owners.set(copy, 'copy');
    this.#copies.set(`${kind} ${id}`, copy);
    return copy;
  }
}

/** The source of an entry. Ids are unique within one kind, because they are keys of one table. */
export type EntryKind = 'message' | 'step' | 'part' | 'no result';

/** Assigns ids that are unique in a conversation. The same kind and id always get the same result. */
export class EntryIds {
  readonly #owners = new Map<string, EntryKind | 'copy'>();
  /** By kind and id, for ids that another kind uses. */
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

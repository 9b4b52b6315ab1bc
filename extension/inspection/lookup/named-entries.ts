import type { Conversation } from '../../engine/conversation/conversation';
import { referenceOf } from '../../engine/conversation/reference';
import type { Inspection } from '../inspection';
import { textOfEntry } from './passages';
import { type PlacedEntry, placedEntries } from './placed-entries';

/** The session has nothing with the requested id. */
export class UnknownReference extends Error {
  override name = 'UnknownReference';
}

/** `abcdef..ghijkl`: the entries from one to another. */
const range = /^(\S+)\.\.(\S+)$/;

/**
 * The entries of a session by their references. If several entries have the same text, all but the first also have a number: `abcdef/2`.
 */
export class NamedEntries {
  readonly all: readonly PlacedEntry[];
  readonly #names = new Map<PlacedEntry, string>();
  readonly #byReference = new Map<string, PlacedEntry[]>();
  readonly #conversation: Conversation;

  constructor(inspection: Inspection) {
    this.all = placedEntries(inspection);
    this.#conversation = inspection.session.conversation;
    for (const placed of this.all) {
      const { ref } = placed;
      const same = this.#byReference.get(ref) ?? [];
      same.push(placed);
      this.#byReference.set(ref, same);
      this.#names.set(placed, same.length === 1 ? ref : `${ref}/${same.length}`);
    }
  }

  nameOf(placed: PlacedEntry): string {
    return this.#names.get(placed) ?? placed.ref;
  }

  /** The entry with this name. Throws `UnknownReference`. */
  find(name: string): PlacedEntry {
    const [found] = this.#withName(name);
    if (found) return found;
    throw new UnknownReference(
      `This session has nothing with the id "${name}". Ids come from a search and from the brackets of a block.`,
    );
  }

  /** Returns the entries of a range, or one entry, or all entries that happen to have the reference. Throws `UnknownReference`. */
  findAll(name: string): readonly PlacedEntry[] {
    const [, first, last] = range.exec(name) ?? [];
    if (first !== undefined && last !== undefined) return this.#between(this.find(first), this.#lastWith(last));
    const texts = new Set<string>();
    const different = this.#withName(name).filter(({ entry }) => {
      const text = textOfEntry(entry);
      return !texts.has(text) && texts.add(text);
    });
    return different.length > 0 ? different : [this.find(name)];
  }

  #between(first: PlacedEntry, last: PlacedEntry): readonly PlacedEntry[] {
    const [from, to] = [first, last].map((placed) => this.all.indexOf(placed)).toSorted((a, b) => a - b);
    return this.all.slice(from, (to ?? 0) + 1);
  }

  #lastWith(name: string): PlacedEntry {
    return this.#withName(name).at(-1) ?? this.find(name);
  }

  /** By reference, with or without its number, else by the id in the session file. */
  #withName(name: string): readonly PlacedEntry[] {
    const [, reference = name, number] = /^(.+)\/(\d+)$/.exec(name) ?? [];
    const found = this.#byReference.get(reference) ?? [];
    if (found.length > 0) return number === undefined ? found : found.slice(Number(number) - 1, Number(number));
    const id = this.#editedWith(name) ?? name;
    return this.all.filter(({ entry }) => entry.id === id);
  }

  /** A block may contain an entry in the form in which the agent had edited it. */
  #editedWith(reference: string): string | undefined {
    return this.#conversation.agentContext.find((entry) => referenceOf(entry) === reference)?.id;
  }
}

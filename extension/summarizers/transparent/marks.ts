import { howToRecall, omission, omissionOf } from '../../engine/block/omission';
import type { SummaryRequest } from '../../engine/block/summary';
import { replacedEntries } from '../../engine/compaction/request';
import type { Entry } from '../../engine/conversation/entry';
import { rangeOf } from '../../engine/conversation/reference';
import type { Room } from './room';

/** Tokens of the longest reference to a range. */
const tokensOfRange = 18;

/** Tokens. A smaller block has only the most important text. */
const leastRoom = 100;

/**
 * The omission marks of a block. Where the agent can ask, each names what it leaves out, and one line of the block says how to
 * ask. The room for that line is taken when the marks are made.
 */
export class Marks {
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #howTo: string | null;
  readonly #references = new Set<string>();

  constructor(request: SummaryRequest, room: Room) {
    const { recallTool } = request;
    const howTo = recallTool === undefined ? null : howToRecall(recallTool);
    this.#howTo = howTo !== null && room.left >= leastRoom && room.take([howTo]) ? howTo : null;
    const entries = this.#howTo === null ? [] : replacedEntries(request);
    this.#entries = new Map(entries.map((entry) => [entry.id, entry]));
  }

  /** The line that says how to ask, if a reference is in these lines. */
  howToFor(lines: readonly string[]): readonly string[] {
    const text = lines.join('\n');
    const isAskedFor = [...this.#references].some((reference) => text.includes(reference));
    return this.#howTo === null || !isAskedFor ? [] : [this.#howTo];
  }

  /** Tokens that a reference to a range adds to a line. */
  get tokens(): number {
    return this.#howTo === null ? 0 : tokensOfRange;
  }

  /** A mark for so many characters of an entry. */
  characters(number: number, entryId: string): string {
    return omission(number, this.#reference([entryId]));
  }

  /** A mark for whole things, such as turns, that these entries contain. */
  of(what: string, entryIds: readonly string[]): string {
    return omissionOf(what, this.#reference(entryIds));
  }

  /** For a line that leaves out what these entries say; empty if the agent cannot ask. */
  after(entryIds: readonly string[]): string {
    const reference = this.#reference(entryIds);
    return reference === '' ? '' : ` [${reference}]`;
  }

  #reference(entryIds: readonly string[]): string {
    const [first, last] = [entryIds[0], entryIds.at(-1)].map((id) => this.#entries.get(id ?? ''));
    if (first === undefined || last === undefined) return '';
    const reference = rangeOf(first, last);
    this.#references.add(reference);
    return reference;
  }
}

import type { Branch } from '../conversation/branch';
import type { Entry } from '../conversation/entry';
import { prunedPart } from '../conversation/projection';
import type { TokenLedger } from '../conversation/tokens';
import type { CompactionRecord } from '../journal/records';
import { prunes } from './places';

/** The tokens saved for one entry, and the block that saves them. */
interface Saved {
  readonly by: CompactionRecord;
  readonly tokens: number;
}

/**
 * Counted tokens that blocks save at one moment. An entry counts once, for the newest block over it, as in the context.
 */
export class Savings {
  /** Tokens of the core, once it is in the context. */
  core = 0;
  #sum = 0;
  /** Tokens of the entries in the context, by their ids. */
  readonly #sizes = new Map<string, number>();
  /** The blocks over each entry, newest last: a later block swallows earlier ones, wherever their runs are placed. */
  readonly #covers = new Map<string, CompactionRecord[]>();
  readonly #saved = new Map<string, Saved>();
  /** Number of entries in the context beneath each block. */
  readonly #owned = new Map<CompactionRecord, number>();
  /** Entries that the agent will empty. Until then they count with their original content. */
  readonly #toBeEmptied: Set<string>;

  constructor(
    readonly branch: Branch,
    readonly ledger: TokenLedger,
  ) {
    const clearings = branch.compactions.filter(({ compaction }) => compaction.kind === 'cleared');
    this.#toBeEmptied = new Set(clearings.flatMap(({ compaction }) => compaction.replacedEntryIds));
  }

  get total(): number {
    return this.#sum - this.core;
  }

  addEntry(step: number, size: number): void {
    const id = this.branch.entries[step]?.entry.id;
    if (id === undefined) return;
    this.#sizes.set(id, size);
    this.#settle(id);
  }

  removeEntry(id: string): void {
    this.#sizes.delete(id);
    this.#settle(id);
  }

  shrinkEntry(id: string, tokens: number): void {
    this.#toBeEmptied.delete(id);
    const size = this.#sizes.get(id);
    if (size !== undefined) this.#sizes.set(id, size - tokens);
    this.#settle(id);
  }

  addBlock(record: CompactionRecord): void {
    for (const id of record.entryIds) {
      const covers = this.#covers.get(id) ?? [];
      covers.splice(covers.findLastIndex(({ seq }) => seq < record.seq) + 1, 0, record);
      this.#covers.set(id, covers);
      this.#settle(id);
    }
  }

  removeBlock(record: CompactionRecord): void {
    for (const id of record.entryIds) {
      this.#covers.set(id, this.#covers.get(id)?.filter((cover) => cover !== record) ?? []);
      this.#settle(id);
    }
  }

  #settle(id: string): void {
    const before = this.#saved.get(id);
    const now = this.#savedOf(id);
    if (now) this.#saved.set(id, now);
    else this.#saved.delete(id);
    this.#sum += (now?.tokens ?? 0) - (before?.tokens ?? 0);
    if (before?.by === now?.by) return;
    if (now) this.#own(now.by, 1);
    if (before) this.#own(before.by, -1);
  }

  /** A block without entries in the context is not sent. */
  #own(record: CompactionRecord, change: 1 | -1): void {
    const before = this.#owned.get(record) ?? 0;
    this.#owned.set(record, before + change);
    const isOther = before === 0 || before + change === 0;
    if (isOther && !prunes(record)) this.#sum -= change * record.tokensAfter;
  }

  #savedOf(id: string): Saved | null {
    const size = this.#sizes.get(id);
    const by = this.#covers.get(id)?.at(-1);
    if (size === undefined || !by) return null;
    return { by, tokens: prunes(by) ? size - this.#sizeWhenPruned(id, by) : size };
  }

  /** The original size if it is not on this branch. */
  #sizeWhenPruned(id: string, { text, resultTexts }: CompactionRecord): number {
    const entry = this.#asItStands(id);
    if (!entry) return this.#sizes.get(id) ?? 0;
    return this.ledger.ofParts(entry.parts.map((part) => prunedPart(part, resultTexts?.[id] ?? text)));
  }

  #asItStands(id: string): Entry | undefined {
    const place = this.branch.entries[this.branch.stepOf.get(id) ?? -1];
    return this.#toBeEmptied.has(id) ? place?.entry : (place?.sent ?? place?.entry);
  }
}

import type { LossReport } from '../../block/loss';
import { ContextText, lossOf } from '../../compaction/loss';
import { entriesById, type KnownEntries } from '../../compaction/request';
import type { Context } from '../../conversation/context';
import type { Conversation } from '../../conversation/conversation';
import type { Entry } from '../../conversation/entry';
import type { TokenLedger } from '../../conversation/tokens';
import { excludedEntries } from '../../journal/excluded';
import type { JournalState } from '../../journal/journal-state';
import type { CompactionRecord } from '../../journal/records';

export interface LossSurroundings {
  readonly conversation: Conversation;
  readonly state: JournalState;
  readonly ledger: TokenLedger;
}

/** Reports what a resulting context has of the entries beneath blocks. */
export class RunLoss {
  readonly #known: KnownEntries;
  readonly #entries: readonly Entry[];
  readonly #text: ContextText;
  readonly #tokensOf: (entry: Entry) => number;
  /** Null: all of the replaced entries. */
  readonly #hadWhole: ReadonlySet<string> | null;

  /** `before`: absent where outputs are not asked about. */
  constructor({ conversation, state, ledger }: LossSurroundings, after: Context, before?: Context) {
    this.#known = entriesById(conversation, excludedEntries(state, conversation));
    this.#entries = conversation.agentContext;
    this.#text = new ContextText(after.messages);
    this.#tokensOf = (entry) => ledger.ofEntry(entry);
    const whole = before?.messages.filter(({ block, pruned }) => !block && !pruned);
    this.#hadWhole = whole ? new Set(whole.flatMap(({ entryIds }) => entryIds)) : null;
  }

  /** The loss of all blocks together; an entry beneath several of them counts once. */
  of(records: readonly Pick<CompactionRecord, 'entryIds'>[]): LossReport {
    const ids = new Set(records.flatMap(({ entryIds }) => entryIds));
    const replaced = this.#known.inOrder([...ids]);
    const outputs = replaced.filter(({ id }) => this.#hadWhole?.has(id) ?? true);
    return lossOf({ replaced, outputs, entries: this.#entries, context: this.#text, tokensOf: this.#tokensOf });
  }
}

/** The records with what each of their blocks loses in the context that results. */
export function withLoss(records: readonly CompactionRecord[], loss: RunLoss): CompactionRecord[] {
  return records.map((record) => ({ ...record, loss: loss.of([record]) }));
}

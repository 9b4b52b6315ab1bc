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
import type { PreparedRun } from './prepared-run';

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

  /** `before`: absent if outputs are not of interest. */
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

/** The records of a run with their losses; the first one also has the size, the cost and the loss of the whole run. */
export function asWholeRun(
  records: readonly CompactionRecord[],
  { strategy, before, after, tokensSpent }: Pick<PreparedRun, 'strategy' | 'before' | 'after' | 'tokensSpent'>,
  surroundings: LossSurroundings,
): Pick<PreparedRun, 'records' | 'loss'> {
  const [first] = records;
  if (first === undefined) return { records: [], loss: null };
  const lossIn = new RunLoss(surroundings, after, before);
  const loss = lossIn.of(records);
  const contextTokens = { before: before.tokens.total, after: after.tokens.total };
  const whole = { strategy, tokensSpent, ...(records.length > 1 ? { loss } : {}) };
  const known = records.map(({ wholeRun: _earlier, ...record }, index): CompactionRecord => {
    const own = { ...record, loss: lossIn.of([record]), run: first.seq, runLength: records.length, contextTokens };
    return index > 0 ? own : { ...own, wholeRun: whole };
  });
  return { records: known, loss };
}

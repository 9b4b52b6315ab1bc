import { orAborted } from '../../conversation/long-work';
import type { Journal, JournalWriter } from '../../journal/journal-access';
import type { JournaledCompaction, JournalState } from '../../journal/journal-state';
import { OperationRefused } from '../../journal/operation-refused';
import type { CompactionRecord, Writing } from '../../journal/records';
import { coveringCompaction } from '../../journal/undo';
import { localizable } from '../../wording/localizable-text';
import {
  type EditOutcome,
  type EditSurroundings,
  editableText,
  editBlock,
  editRefusals,
  putBackInto,
  withLossOfEdit,
} from './edit';
import { type RewriteOrder, type RewriteOutcome, type Rewriting, rewriteBlock } from './rewrite';

export type BlockEdit = (record: CompactionRecord, around: EditSurroundings) => EditOutcome;

/** A conversation whose blocks are edited. */
interface EditedConversation extends Omit<EditSurroundings, 'state' | 'recallTool'> {
  readonly journal: Pick<Journal, 'state'>;
  readonly counted?: Promise<void>;
  readonly recallTool?: string | undefined;
}

/** Changes the texts of blocks that are in the context. */
export class BlockEditor {
  constructor(
    private readonly source: EditedConversation,
    private readonly writer: JournalWriter,
    /** Monotonic, in milliseconds. */
    private readonly clock: () => number,
  ) {}

  /** Replaces the text of an active block. Throws `OperationRefused` if its text is no longer `before`. */
  edit(seq: number, body: string, before?: string): Promise<void> {
    return this.#edit(seq, (record, around) => {
      refuseOtherText(record, before);
      return editBlock(record, body, around);
    });
  }

  /** Puts lost artifacts back into an active block, verbatim. */
  putBack(seq: number, texts: readonly string[]): Promise<void> {
    return this.#edit(seq, (record, around) => putBackInto(record, texts, around));
  }

  /** Nothing is written where the text stays the same. */
  async #edit(seq: number, edit: BlockEdit): Promise<void> {
    await this.source.counted;
    await this.writer.append((lastSeq, state) => {
      const { record } = blockInContext(state, seq);
      const around = this.#surroundings(state);
      const { text, tokensAfter, loss } = withLossOfEdit(edited(edit(record, around)), around);
      if (text === record.text) return [];
      return [{ ...this.#base(lastSeq), compaction: seq, text, tokensAfter, loss }];
    });
  }

  /** Has the text of an active block written again. Nothing changes: see `applyRewriting`. */
  async rewrite(seq: number, order: Omit<RewriteOrder, 'clock'>): Promise<RewriteOutcome> {
    await orAborted(this.source.counted, order.signal);
    const { state } = this.source.journal;
    const { record } = blockInContext(state, seq);
    return await rewriteBlock(record, this.#surroundings(state), { ...order, clock: this.clock });
  }

  /** Replaces the old text by the new one. Throws `OperationRefused` if the old one was changed since. */
  applyRewriting(rewriting: Rewriting): Promise<void> {
    return this.#replace(rewriting.before.seq, rewritten(rewriting));
  }

  /** Puts the text back that an active block had before it was changed last. */
  restore(seq: number): Promise<void> {
    return this.#replace(seq, earlierText);
  }

  /** Gives a block the text of another of its records, and notes how that text was written. */
  #replace(seq: number, choose: (block: JournaledCompaction) => CompactionRecord): Promise<void> {
    return this.writer.append((lastSeq, state) => {
      const chosen = choose(blockInContext(state, seq));
      const { text, tokensAfter, loss } = chosen;
      return [{ ...this.#base(lastSeq), compaction: seq, text, tokensAfter, loss, writing: writingOf(chosen) }];
    });
  }

  #base(lastSeq: number) {
    return { kind: 'edit', seq: lastSeq + 1, time: this.writer.now() } as const;
  }

  #surroundings(state: JournalState): EditSurroundings {
    const { conversation, ledger, recallTool } = this.source;
    return { conversation, state, ledger, ...(recallTool === undefined ? {} : { recallTool }) };
  }
}

/** Throws `OperationRefused` for a text that the block cannot have. */
export function edited(outcome: EditOutcome): CompactionRecord {
  if (outcome.kind === 'refused') throw new OperationRefused(editRefusals[outcome.reason]);
  return outcome.record;
}

/** Throws `OperationRefused` if the block is not in the context. */
function blockInContext(state: JournalState, seq: number): JournaledCompaction {
  const found = state.compactions.find(({ record, active }) => active && record.seq === seq);
  if (found && !coveringCompaction(state, seq)) return found;
  throw new OperationRefused('The block of compaction #{0} is not in the context, so its text cannot be changed.', [
    seq,
  ]);
}

/** Throws `OperationRefused` if the text of the block is no longer the one that was edited. */
function refuseOtherText(record: CompactionRecord, before: string | undefined): void {
  if (before === undefined || editableText(record) === before) return;
  throw new OperationRefused(
    'The text of this block was changed elsewhere. Copy your text, cancel, and edit the new text.',
  );
}

/** The record that a rewriting puts in the place of the present one. */
function rewritten({ before, after }: Rewriting): (block: JournaledCompaction) => CompactionRecord {
  return ({ record }) => {
    if (record.text !== before.text) throw new OperationRefused(textChangedSince);
    return after;
  };
}

/** The record with the text that the block had before it was changed last. */
function earlierText({ earlier }: JournaledCompaction): CompactionRecord {
  if (!earlier) throw new OperationRefused('The text of this block was never changed.');
  return earlier;
}

const textChangedSince = localizable('The text of this block has changed since. Have it written again.');

function writingOf(record: Writing): Writing {
  const { summarizer, promptHash, tokensSpent, durationMs, spans, repaired, edited } = record;
  return {
    ...{ summarizer, promptHash, tokensSpent, durationMs, spans },
    ...(repaired === undefined ? {} : { repaired }),
    ...(edited === undefined ? {} : { edited }),
  };
}

import type { RecordDraft } from '../../journal/journal-access';
import type { JournaledCompaction, JournalState } from '../../journal/journal-state';
import { OperationRefused } from '../../journal/operation-refused';
import type { CompactionRecord, Writing } from '../../journal/records';
import { coveringCompaction } from '../../journal/undo';
import { localizable } from '../../wording/localizable-text';
import { type EditOutcome, type EditSurroundings, editableText, editRefusals, withLossOfEdit } from './edit';
import type { Rewriting } from './rewrite';

/** The text of blocks that are in the context, and the records that change it. */

export type BlockEdit = (record: CompactionRecord, around: EditSurroundings) => EditOutcome;

/** Throws `OperationRefused` for a text that the block cannot have. */
export function edited(outcome: EditOutcome): CompactionRecord {
  if (outcome.kind === 'refused') throw new OperationRefused(editRefusals[outcome.reason]);
  return outcome.record;
}

/** Throws `OperationRefused` if the block is not in the context. */
export function blockInContext(state: JournalState, seq: number): JournaledCompaction {
  const standing = state.compactions.find(({ record, active }) => active && record.seq === seq);
  if (standing && !coveringCompaction(state, seq)) return standing;
  throw new OperationRefused('The block of compaction #{0} is not in the context, so its text cannot be changed.', [
    seq,
  ]);
}

/** A person's edit. Nothing is written where the text stays the same. */
export function editDraft(
  seq: number,
  time: string,
  edit: BlockEdit,
  around: (state: JournalState) => EditSurroundings,
): RecordDraft {
  return (lastSeq, state) => {
    const standing = blockInContext(state, seq);
    const surroundings = around(state);
    const { text, tokensAfter, loss } = withLossOfEdit(edited(edit(standing.record, surroundings)), surroundings);
    if (text === standing.record.text) return [];
    return [{ kind: 'edit', seq: lastSeq + 1, time, compaction: seq, text, tokensAfter, loss }];
  };
}

/** The text of another record of the same block, with how that was written. */
export function writingDraft(
  seq: number,
  time: string,
  choose: (standing: JournaledCompaction) => CompactionRecord,
): RecordDraft {
  return (lastSeq, state) => {
    const chosen = choose(blockInContext(state, seq));
    const { text, tokensAfter, loss } = chosen;
    const writing = writingOf(chosen);
    return [{ kind: 'edit', seq: lastSeq + 1, time, compaction: seq, text, tokensAfter, loss, writing }];
  };
}

/** Throws `OperationRefused` if the text of the block is no longer the one that was edited. */
export function refuseOtherText(record: CompactionRecord, before: string | undefined): void {
  if (before === undefined || editableText(record) === before) return;
  throw new OperationRefused(
    'The text of this block was changed elsewhere. Copy your text, cancel, and edit the new text.',
  );
}

/** The record that a rewriting puts in the place of the present one. */
export function rewritten({ before, after }: Rewriting): (standing: JournaledCompaction) => CompactionRecord {
  return ({ record }) => {
    if (record.text !== before.text) throw new OperationRefused(textChangedSince);
    return after;
  };
}

/** The record with the text that the block had before it was changed last. */
export function earlierText({ earlier }: JournaledCompaction): CompactionRecord {
  if (!earlier) throw new OperationRefused('The text of this block was never changed.');
  return earlier;
}

const textChangedSince = localizable('The text of this block was changed since. Have it written again.');

function writingOf(record: Writing): Writing {
  const { summarizer, promptHash, tokensSpent, durationMs, spans, repaired, edited } = record;
  return {
    ...{ summarizer, promptHash, tokensSpent, durationMs, spans },
    ...(repaired === undefined ? {} : { repaired }),
    ...(edited === undefined ? {} : { edited }),
  };
}

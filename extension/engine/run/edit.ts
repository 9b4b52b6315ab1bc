import { withoutImpostors } from '../compaction/impostors';
import { withPutBack } from '../compaction/put-back';
import { entriesById } from '../compaction/request';
import { blockForm } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import { blockText, project } from '../conversation/projection';
import type { TokenLedger } from '../conversation/tokens';
import { coreText } from '../core/core';
import { excludedEntries, isExclusion } from '../journal/excluded';
import { editedRecord, foldJournal, type JournalState } from '../journal/journal-state';
import { coreWithout, overlayOf } from '../journal/overlay';
import type { CompactionRecord } from '../journal/records';
import type { Artifact } from '../language/loss-report';
import { lossReporter } from '../language/what-matters';
import { type LocalizableText, localizable } from '../wording/localizable-text';
import type { PreparedRun } from './prepared-run';

/** The context of a block, against which an edit of its text is verified. */
export interface EditSurroundings {
  readonly conversation: Conversation;
  readonly state: JournalState;
  readonly ledger: TokenLedger;
}

export type EditOutcome =
  | { readonly kind: 'edited'; readonly record: CompactionRecord }
  | { readonly kind: 'refused'; readonly reason: EditRefusal };

export type EditRefusal = 'not-editable' | 'empty' | 'grew';

export const editRefusals: Readonly<Record<EditRefusal, LocalizableText>> = {
  'not-editable': localizable('This compaction has no text that can be changed.'),
  empty: localizable('A block cannot be empty. Undo the compaction to remove it.'),
  grew: localizable('With this text the block would be no smaller than what it replaces.'),
};

/** The text of a block without its tag; null if there is no summary to edit. */
export function editableText(record: CompactionRecord): string | null {
  if (isExclusion(record) || blockForm(record.summaryType).covers === 'results') return null;
  return record.text.slice(record.text.indexOf('\n') + 1);
}

/** The record with another text, verified like a summarizer's text: it must be smaller than what it replaces. */
export function editBlock(record: CompactionRecord, body: string, around: EditSurroundings): EditOutcome {
  if (editableText(record) === null) return refused('not-editable');
  const clean = withoutImpostors(body).trim();
  if (clean === '') return refused('empty');
  const text = blockText(record.summaryType, clean);
  const tokensAfter = around.ledger.ofParts([{ type: 'text', text }]);
  if (tokensAfter >= record.tokensBefore) return refused('grew');
  const core = coreWithout(around.state, around.conversation, new Set(), record.entryIds);
  const loss = lossReporter(entriesBeneath(record, around))(clean, core ? coreText(core) : '');
  return { kind: 'edited', record: editedRecord(record, { text, tokensAfter, loss }) };
}

/** The record with these lost artifacts added to its text, verbatim. */
export function putBackInto(record: CompactionRecord, texts: readonly string[], around: EditSurroundings): EditOutcome {
  const body = editableText(record);
  if (body === null) return refused('not-editable');
  const wanted = new Set(texts);
  const artifacts = record.loss.lost.filter(({ text }) => wanted.has(text));
  for (const { text } of artifacts) wanted.delete(text);
  return editBlock(record, withPutBack(body, [...artifacts, ...lostSentences(record, wanted)]), around);
}

/** Sentences that the report names as lost for their meaning. They go back like directions: verbatim, one a line. */
function lostSentences({ loss }: CompactionRecord, wanted: ReadonlySet<string>): Artifact[] {
  return (loss.matters?.kinds ?? [])
    .flatMap(({ lost }) => lost)
    .filter(({ text }) => wanted.has(text))
    .map(({ text, entryId }) => ({ kind: 'direction', text, entryIds: [entryId], weight: 1 }));
}

/** A prepared run with one record replaced by its edited version, and the resulting context. */
export function withRecord(run: PreparedRun, edited: CompactionRecord, around: EditSurroundings): PreparedRun {
  const { conversation, state, ledger } = around;
  const records = run.records.map((record) => (record.seq === edited.seq ? edited : record));
  const after = project(conversation, overlayOf(foldJournal(records, state), conversation), ledger);
  const contextTokens = { before: run.before.tokens.total, after: after.tokens.total };
  return { ...run, after, records: records.map((record) => ({ ...record, contextTokens })) };
}

function entriesBeneath({ entryIds }: CompactionRecord, { conversation, state }: EditSurroundings) {
  return entriesById(conversation, excludedEntries(state, conversation)).inOrder(entryIds);
}

function refused(reason: EditRefusal): EditOutcome {
  return { kind: 'refused', reason };
}

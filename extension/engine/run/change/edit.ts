import type { LostItem } from '../../block/loss';
import { withoutImpostors } from '../../compaction/impostors';
import { entriesById } from '../../compaction/request';
import { coversResults } from '../../conversation/context';
import type { Conversation } from '../../conversation/conversation';
import { textOf } from '../../conversation/entry';
import { blockText, project } from '../../conversation/projection';
import type { TokenLedger } from '../../conversation/tokens';
import { excludedEntries, isExclusion } from '../../journal/excluded';
import { editedRecord, foldJournal, type JournalState } from '../../journal/journal-state';
import { overlayOf } from '../../journal/overlay';
import type { CompactionRecord } from '../../journal/records';
import { type LocalizableText, localizable } from '../../wording/localizable-text';
import type { PreparedRun } from '../prepare/prepared-run';
import { asWholeRun, RunLoss } from '../prepare/run-loss';

/** The context of a block, against which an edit of its text is verified. */
export interface EditSurroundings {
  readonly conversation: Conversation;
  readonly state: JournalState;
  readonly ledger: TokenLedger;
  readonly recallTool?: string;
}

export type EditOutcome =
  | { readonly kind: 'edited'; readonly record: CompactionRecord }
  | { readonly kind: 'refused'; readonly reason: EditRefusal };

type EditRefusal = 'not-editable' | 'empty' | 'grew';

export const editRefusals: Readonly<Record<EditRefusal, LocalizableText>> = {
  'not-editable': localizable('This compaction has no text that can be changed.'),
  empty: localizable('A block cannot be empty. Undo the compaction to remove it.'),
  grew: localizable('With this text the block would be no smaller than what it replaces.'),
};

/** The text of a block without its tag; null if there is no summary to edit. */
export function editableText(record: CompactionRecord): string | null {
  if (isExclusion(record) || coversResults(record.summaryType)) return null;
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
  return { kind: 'edited', record: editedRecord(record, { text, tokensAfter, loss: record.loss }) };
}

/** The record with the lost parts of these entries added to its text: messages word for word, files and open items as lines. */
export function putBackInto(record: CompactionRecord, texts: readonly string[], around: EditSurroundings): EditOutcome {
  const body = editableText(record);
  if (body === null) return refused('not-editable');
  return editBlock(record, withPutBack(body, lostItems(record, new Set(texts), around)), around);
}

function lostItems(
  { loss, entryIds }: CompactionRecord,
  wanted: ReadonlySet<string>,
  { conversation, state }: EditSurroundings,
): LostPieces {
  const isWanted = ({ text }: LostItem) => wanted.has(text);
  if (loss === null) return { messages: [], files: [], open: [] };
  const known = entriesById(conversation, excludedEntries(state, conversation));
  const own = new Set(entryIds);
  const messages = loss.messages.listed.filter((item) => isWanted(item) && own.has(item.entryId));
  return {
    messages: messages.flatMap(({ entryId }) => known.find(entryId) ?? []).map(({ parts }) => textOf(parts)),
    files: loss.files.listed.filter(isWanted).map(({ text }) => text),
    open: loss.open.listed.filter(isWanted).map(({ text }) => text),
  };
}

/** The records of a journal, with the loss that an edited block causes in the resulting context. */
export function withLossOfEdit(record: CompactionRecord, around: EditSurroundings): CompactionRecord {
  const { conversation, state, ledger } = around;
  const compactions = state.compactions.map((one) => (one.record.seq === record.seq ? { ...one, record } : one));
  const after = project(conversation, overlayOf({ ...state, compactions }, conversation), ledger);
  const loss = new RunLoss(around, after).of([record]);
  // Another text replaces the same outputs.
  return { ...record, loss: { ...loss, outputs: record.loss?.outputs ?? loss.outputs } };
}

/** A prepared run with one record replaced by its edited version, and the resulting context. */
export function withRecord(run: PreparedRun, edited: CompactionRecord, around: EditSurroundings): PreparedRun {
  const { conversation, state, ledger } = around;
  const changed = run.records.map((record) => (record.seq === edited.seq ? edited : record));
  const after = project(conversation, overlayOf(foldJournal(changed, state), conversation), ledger);
  return { ...run, after, ...asWholeRun(changed, { ...run, after }, around) };
}

function refused(reason: EditRefusal): EditOutcome {
  return { kind: 'refused', reason };
}

/** Lost parts that a person puts back into a block. */
interface LostPieces {
  /** Messages of the person, word for word. */
  readonly messages: readonly string[];
  readonly files: readonly string[];
  /** To-do items and failing checks. */
  readonly open: readonly string[];
}

const heading = '## Put back';

/** Appends all of these under one heading, whatever their length: a person asked for them. */
function withPutBack(body: string, { messages, files, open }: LostPieces): string {
  const lines = [
    ...messages.flatMap((text) => [
      'User:',
      ...text
        .trim()
        .split('\n')
        .map((line) => `> ${line}`.trimEnd()),
    ]),
    ...(files.length === 0 ? [] : [`- Changed files: ${files.join('; ')}`]),
    ...open.map((text) => `- Open: ${text}`),
  ];
  if (lines.length === 0) return body;
  const end = body.trimEnd();
  return hasHeading(end) ? `${end}\n${lines.join('\n')}` : `${end}\n\n${heading}\n${lines.join('\n')}`;
}

/** Whether the last section is the one for parts that are put back. */
function hasHeading(body: string): boolean {
  const last = body.lastIndexOf('\n## ');
  return last !== -1 && body.startsWith(heading, last + 1);
}

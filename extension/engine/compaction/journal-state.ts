import type { StandingBlock } from '../conversation/projection';
import type { CoreItem, CoreItemStatus } from '../core/core';
import type { CompactionRecord, JournalRecord } from './journal';

export interface JournaledCompaction {
  readonly record: CompactionRecord;
  /** False once undone. */
  readonly active: boolean;
}

/** The fold of a journal. */
export interface JournalState {
  readonly lastSeq: number;
  /** In the order they were made, undone ones included. */
  readonly compactions: readonly JournaledCompaction[];
  /** In the order they were pinned. */
  readonly items: readonly CoreItem[];
  /** What Redo would bring back, the newest undo last. A new compaction empties it. */
  readonly redoable: readonly (readonly number[])[];
}

export const emptyJournalState: JournalState = { lastSeq: -1, compactions: [], items: [], redoable: [] };

export function foldJournal(records: readonly JournalRecord[], state = emptyJournalState): JournalState {
  return records.reduce(applyRecord, state);
}

export function applyRecord(state: JournalState, record: JournalRecord): JournalState {
  const next = { ...state, lastSeq: Math.max(state.lastSeq, record.seq) };
  switch (record.kind) {
    case 'header':
      return next;
    case 'compaction':
      return { ...next, compactions: [...state.compactions, { record, active: true }], redoable: [] };
    case 'undo':
      return {
        ...next,
        compactions: setActive(state.compactions, record.compactions, false),
        redoable: [...state.redoable, record.compactions],
      };
    case 'redo':
      return {
        ...next,
        compactions: setActive(state.compactions, record.compactions, true),
        redoable: state.redoable.slice(0, -1),
      };
    case 'pin':
      return { ...next, items: addItem(state.items, record.item) };
    case 'core-change':
      return { ...next, items: changeItem(state.items, record.itemId, record.status) };
  }
}

function setActive(
  compactions: readonly JournaledCompaction[],
  seqs: readonly number[],
  active: boolean,
): JournaledCompaction[] {
  const changed = new Set(seqs);
  return compactions.map((compaction) => (changed.has(compaction.record.seq) ? { ...compaction, active } : compaction));
}

/** There is one current goal: a newer one supersedes it. */
function addItem(items: readonly CoreItem[], item: CoreItem): CoreItem[] {
  return [...(becomesCurrentGoal(item) ? supersedeGoals(items) : items), item];
}

function changeItem(items: readonly CoreItem[], id: string, status: CoreItemStatus): CoreItem[] {
  const item = items.find((candidate) => candidate.id === id);
  const others = item && becomesCurrentGoal({ ...item, status }) ? supersedeGoals(items) : items;
  return others.map((candidate) => (candidate.id === id ? { ...candidate, status } : candidate));
}

function becomesCurrentGoal(item: CoreItem): boolean {
  return item.kind === 'goal' && item.status === 'active';
}

function supersedeGoals(items: readonly CoreItem[]): CoreItem[] {
  return items.map((item) => (becomesCurrentGoal(item) ? { ...item, status: 'superseded' } : item));
}

export function standingBlocks(state: JournalState): StandingBlock[] {
  return state.compactions.filter(({ active }) => active).map(({ record }) => standingBlock(record));
}

const standing = new WeakMap<CompactionRecord, StandingBlock>();

/** One block object for each record, so that what did not change can be told by identity. */
function standingBlock(record: CompactionRecord): StandingBlock {
  const known = standing.get(record);
  if (known) return known;
  const block: StandingBlock = {
    seq: record.seq,
    metadata: { summarized: true, summary_type: record.summaryType, turn_count: record.turnCount },
    entryIds: record.entryIds,
    text: record.text,
    timestamp: record.time,
  };
  standing.set(record, block);
  return block;
}

import type { BlockMetadata } from '../conversation/context';
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

/** Applies records in order, in time linear in their number. The given state stays as it is. */
export function foldJournal(records: readonly JournalRecord[], state = emptyJournalState): JournalState {
  const compactions = [...state.compactions];
  const places = new Map(compactions.map(({ record }, place) => [record.seq, place]));
  let { lastSeq, items, redoable } = state;
  const setActive = (seqs: readonly number[], active: boolean) => {
    for (const seq of seqs) {
      const place = places.get(seq);
      const compaction = place === undefined ? undefined : compactions[place];
      if (place !== undefined && compaction) compactions[place] = { ...compaction, active };
    }
  };
  for (const record of records) {
    lastSeq = Math.max(lastSeq, record.seq);
    switch (record.kind) {
      case 'header':
        break;
      case 'compaction':
        places.set(record.seq, compactions.length);
        compactions.push({ record, active: true });
        redoable = [];
        break;
      case 'undo':
        setActive(record.compactions, false);
        redoable = [...redoable, record.compactions];
        break;
      case 'redo':
        setActive(record.compactions, true);
        redoable = redoable.slice(0, -1);
        break;
      case 'pin':
        items = addItem(items, record.item);
        break;
      case 'core-change':
        items = changeItem(items, record.itemId, record.status);
        break;
    }
  }
  return { lastSeq, compactions, items, redoable };
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

export function blockMetadata({ summaryType, turnCount, entriesSummarized }: CompactionRecord): BlockMetadata {
  return {
    summarized: true,
    summary_type: summaryType,
    turn_count: turnCount,
    ...(entriesSummarized === undefined ? {} : { entries_summarized: entriesSummarized }),
  };
}

const standing = new WeakMap<CompactionRecord, StandingBlock>();

/** One block object for each record, so that what did not change can be told by identity. */
function standingBlock(record: CompactionRecord): StandingBlock {
  const known = standing.get(record);
  if (known) return known;
  const block: StandingBlock = {
    seq: record.seq,
    strategy: record.strategy,
    tier: record.tier ?? null,
    metadata: blockMetadata(record),
    entryIds: record.entryIds,
    text: record.text,
    timestamp: record.time,
    place: record.place ?? 'first',
  };
  standing.set(record, block);
  return block;
}

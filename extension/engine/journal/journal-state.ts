import type { BlockMetadata } from '../conversation/block';
import { oncePer } from '../conversation/once-per';
import type { ActiveBlock } from '../conversation/projection';
import type { CoreItem } from '../core/core';
import { type CoreItems, changeItem, editItem, emptyCoreItems, orderItems, pinItem } from '../core/items';
import type { CompactionRecord, EditRecord, JournalRecord, PreparedRecord } from './records';

export interface JournaledCompaction {
  readonly record: CompactionRecord;
  /** False once undone. */
  readonly active: boolean;
  /** The record before the last change of its text; absent if the text was never changed. */
  readonly earlier?: CompactionRecord;
}

/** The fold of a journal. */
export interface JournalState {
  readonly lastSeq: number;
  /** The minimum version that a reader must support; 0 for an empty journal. */
  readonly version: number;
  /** In order of creation, including undone ones. */
  readonly compactions: readonly JournaledCompaction[];
  /** In the order in which they were pinned, or in the order that a person chose. */
  readonly items: readonly CoreItem[];
  /** The events of each item by id, oldest first. */
  readonly itemHistory: CoreItems['history'];
  /** Undone runs that a redo restores, the newest undo last. A new compaction clears it. */
  readonly redoable: readonly (readonly number[])[];
  /** The seq of the newest record that changed anything: all but `prepared`; -1 without one. */
  readonly changedAt: number;
  /** The seq of the newest record that changed blocks: a compaction, an undo, a redo or an edit; -1 without one. */
  readonly blocksChangedAt: number;
  /** The newest run that was prepared since then. */
  readonly prepared: PreparedRecord | null;
  /** Tokens spent by all prepared runs, whether they were used or not. */
  readonly preparedTokens: number;
}

export const emptyJournalState: JournalState = {
  lastSeq: -1,
  version: 0,
  compactions: [],
  items: emptyCoreItems.items,
  itemHistory: emptyCoreItems.history,
  redoable: [],
  changedAt: -1,
  blocksChangedAt: -1,
  prepared: null,
  preparedTokens: 0,
};

const changesBlocks: ReadonlySet<JournalRecord['kind']> = new Set(['compaction', 'undo', 'redo', 'edit']);

/** Applies records in order, in linear time. Does not change the given state. */
export function foldJournal(records: readonly JournalRecord[], state = emptyJournalState): JournalState {
  const compactions = [...state.compactions];
  const places = new Map(compactions.map(({ record }, place) => [record.seq, place]));
  let { lastSeq, version, redoable, changedAt, blocksChangedAt, prepared, preparedTokens } = state;
  let core: CoreItems = { items: state.items, history: state.itemHistory };
  const setActive = (seqs: readonly number[], active: boolean) => {
    for (const seq of seqs) {
      const place = places.get(seq);
      const compaction = place === undefined ? undefined : compactions[place];
      if (place !== undefined && compaction) compactions[place] = { ...compaction, active };
    }
  };
  for (const record of records) {
    lastSeq = Math.max(lastSeq, record.seq);
    if (record.kind !== 'prepared') changedAt = record.seq;
    if (changesBlocks.has(record.kind)) [blocksChangedAt, prepared] = [record.seq, null];
    switch (record.kind) {
      case 'header':
      case 'version':
        version = record.version;
        break;
      case 'compaction':
        places.set(record.seq, compactions.length);
        compactions.push({ record, active: true });
        redoable = [];
        break;
      case 'prepared':
        prepared = record;
        preparedTokens += record.tokensSpent.input + record.tokensSpent.output;
        break;
      case 'undo':
        setActive(record.compactions, false);
        redoable = [...redoable, record.compactions];
        break;
      case 'redo':
        setActive(record.compactions, true);
        redoable = redoable.slice(0, -1);
        break;
      case 'edit': {
        const place = places.get(record.compaction);
        const compaction = place === undefined ? undefined : compactions[place];
        if (place !== undefined && compaction) {
          const { record: earlier } = compaction;
          compactions[place] = { ...compaction, record: editedRecord(earlier, record), earlier };
        }
        break;
      }
      case 'pin':
        core = pinItem(core, record.item, record.time);
        break;
      case 'core-change':
        core = changeItem(core, record.itemId, record.status, record.time);
        break;
      case 'core-edit':
        core = editItem(core, record.itemId, record, record.time);
        break;
      case 'core-order':
        core = orderItems(core, record.itemIds);
        break;
    }
  }
  const { items, history: itemHistory } = core;
  return {
    ...{ lastSeq, version, compactions, items, itemHistory, redoable },
    ...{ changedAt, blocksChangedAt, prepared, preparedTokens },
  };
}

/** A text that a person edited has no spans: its sources are unknown. */
export function editedRecord(
  record: CompactionRecord,
  { text, tokensAfter, loss, writing }: Pick<EditRecord, 'text' | 'tokensAfter' | 'loss' | 'writing'>,
): CompactionRecord {
  if (writing !== undefined) {
    const { edited: _edited, repaired: _repaired, ...rest } = record;
    return { ...rest, text, tokensAfter, loss, ...writing };
  }
  return { ...record, text, tokensAfter, loss, spans: [], edited: true };
}

export function activeBlocks(state: JournalState): ActiveBlock[] {
  return state.compactions.filter(({ active }) => active).map(({ record }) => activeBlock(record));
}

export function blockMetadata({ summaryType, turnCount, entriesSummarized }: CompactionRecord): BlockMetadata {
  return {
    summarized: true,
    summary_type: summaryType,
    turn_count: turnCount,
    ...(entriesSummarized === undefined ? {} : { entries_summarized: entriesSummarized }),
  };
}

/** One block object for each record, so that unchanged blocks can be recognised by identity. */
const activeBlock = oncePer(
  (record: CompactionRecord): ActiveBlock => ({
    seq: record.seq,
    strategy: record.strategy,
    tier: record.tier ?? null,
    metadata: blockMetadata(record),
    entryIds: record.entryIds,
    text: record.text,
    ...(record.resultTexts === undefined ? {} : { resultTexts: record.resultTexts }),
    timestamp: record.time,
    place: record.place ?? 'first',
  }),
);

/** Whether a model wrote the text of the block with this seq, whoever changed it since. */
export function isByModel({ compactions }: JournalState, seq: number): boolean {
  return compactions.some(({ record }) => record.seq === seq && record.summarizer.model !== null);
}

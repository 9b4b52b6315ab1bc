import type { Branch, PlacedCompaction } from '../conversation/branch';
import { coversResults } from '../conversation/context';
import type { AgentCompaction, Conversation } from '../conversation/conversation';
import { blocksInContext } from '../journal/context-blocks';
import type { JournaledCompaction, JournalState } from '../journal/journal-state';
import type { CompactionRecord } from '../journal/records';
import { runsOf } from '../journal/runs';
import { lastStepsOf } from './last-step';

/** A run of Strata and its place in the branch. */
export interface PlacedRun {
  /** Index in the branch of the newest entry at the time of the run. */
  readonly step: number;
  readonly records: readonly PlacedRecord[];
}

export interface PlacedRecord {
  readonly record: CompactionRecord;
  readonly active: boolean;
  /** Null: it was never in the context of this branch, or it was undone. */
  readonly inContext: TimeInContext | null;
}

interface TimeInContext {
  /**
   * The step at which a compaction of the agent removed some of its entries, so that it no longer applies; null if it is in the context
   * now.
   */
  readonly until: number | null;
}

/** The runs of a journal in order, with the time that each block was in the context. Linear in the journal and the branch. */
export function placedRuns(state: JournalState, branch: Branch, conversation: Conversation): PlacedRun[] {
  const present = new Set(blocksInContext(state, conversation.agentContext).blocks.map(({ seq }) => seq));
  const takenAt = takenEntries(branch.compactions);
  const numberOf = new Map(conversation.entries.map(({ id }, at) => [id, at]));
  return runsOf(state).map(({ blocks }) => {
    const step = stepOf(blocks[0]?.record, branch, numberOf);
    const timeInContext = ({ record, active }: JournaledCompaction): TimeInContext | null => {
      if (!active) return null;
      if (present.has(record.seq)) return { until: null };
      const until = firstTaken(record, takenAt);
      return until === null || until <= step ? null : { until };
    };
    const records = blocks.map((compaction) => ({ ...compaction, inContext: timeInContext(compaction) }));
    return { step, records };
  });
}

export function prunes({ summaryType }: CompactionRecord): boolean {
  return coversResults(summaryType);
}

/** By id, the step at which each entry left the agent's context. Emptied entries are still in it. */
function takenEntries(compactions: readonly PlacedCompaction[]): Map<string, number> {
  const taken = new Map<string, number>();
  for (const { compaction, step } of compactions) {
    for (const id of takenBy(compaction)) if (!taken.has(id)) taken.set(id, step);
  }
  return taken;
}

export function takenBy({ kind, replacedEntryIds }: AgentCompaction): readonly string[] {
  return kind === 'summary' ? replacedEntryIds : [];
}

function firstTaken({ entryIds }: CompactionRecord, takenAt: ReadonlyMap<string, number>): number | null {
  let first: number | null = null;
  for (const id of entryIds) {
    const step = takenAt.get(id);
    if (step !== undefined && (first === null || step < first)) first = step;
  }
  return first;
}

/** If the person went back since, the run is placed at the last earlier entry that is still on the branch. */
export function stepOf(
  record: Pick<CompactionRecord, 'newestEntryId' | 'time'> | undefined,
  branch: Branch,
  numberOf: ReadonlyMap<string, number>,
): number {
  const newest = record?.newestEntryId;
  const known = newest === undefined ? undefined : branch.stepOf.get(newest);
  if (known !== undefined) return known;
  const number = newest === undefined ? undefined : numberOf.get(newest);
  const steps = lastStepsOf(branch);
  return Math.max(0, number === undefined ? steps.until(Date.parse(record?.time ?? '')) : steps.upTo(number));
}

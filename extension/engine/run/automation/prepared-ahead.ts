import type { Conversation } from '../../conversation/conversation';
import { project } from '../../conversation/projection';
import type { TokenLedger } from '../../conversation/tokens';
import { foldJournal, type JournalState } from '../../journal/journal-state';
import { overlayOf } from '../../journal/overlay';
import type { CompactionRecord, PreparedRecord } from '../../journal/records';
import type { PreparedRun } from '../prepare/prepared-run';
import { asWholeRun, type LossSurroundings } from '../prepare/run-loss';

/** The conversation and journal that a prepared run is taken in. */
interface TakingSurroundings {
  readonly conversation: Conversation;
  readonly state: JournalState;
  readonly ledger: TokenLedger;
  /** ISO 8601. */
  readonly now: () => string;
}

/** A run as the journal keeps it until a compaction takes it. A run with failures is kept without its blocks. */
export function preparedRecord(
  { strategy, records, before, failures, tokensSpent }: PreparedRun,
  place: { readonly seq: number; readonly time: string; readonly model: string | null },
): PreparedRecord {
  const first = place.seq + 1;
  const kept = failures.length > 0 ? [] : numberedFrom(first, records);
  return {
    ...{ kind: 'prepared', strategy, ...place, records: kept },
    ...{ contextTokens: before.tokens.total, tokensSpent },
  };
}

/**
 * The prepared run as a compaction would apply it now; messages since then follow its blocks. Null if there is none, or
 * if it no longer fits: the session branched, or has another model. `model`: null if unknown.
 */
export function takenRun(
  { conversation, state, ledger, now }: TakingSurroundings,
  taking: { readonly model: string | null; readonly trigger: CompactionRecord['trigger'] },
): PreparedRun | null {
  const { prepared } = state;
  if (prepared === null || prepared.records.length === 0 || isOtherModel(prepared.model, taking.model)) return null;
  const there = new Set(conversation.agentContext.map(({ id }) => id));
  if (!prepared.records.every(({ entryIds }) => entryIds.every((id) => there.has(id)))) return null;
  const stamped = prepared.records.map((record) => ({ ...record, time: now(), trigger: taking.trigger }));
  const numbered = numberedFrom(state.lastSeq + 1, stamped);
  const before = project(conversation, overlayOf(state, conversation), ledger);
  const after = project(conversation, overlayOf(foldJournal(numbered, state), conversation), ledger);
  const { strategy, tokensSpent } = prepared;
  const whole = { strategy, before, after, tokensSpent };
  return {
    ...whole,
    ...asWholeRun(numbered, whole, { conversation, state, ledger }),
    plans: [],
    notes: [],
    failures: [],
  };
}

function isOtherModel(prepared: string | null, now: string | null): boolean {
  return prepared !== null && now !== null && prepared !== now;
}

/** The records of a run with new sequence numbers; references within the run are kept. */
export function numberedFrom(seq: number, records: readonly CompactionRecord[]): CompactionRecord[] {
  const [first] = records;
  if (first === undefined) return [];
  const moved = (number: number) => (number < first.seq ? number : number - first.seq + seq);
  return records.map((record) => ({
    ...record,
    ...{ seq: moved(record.seq), run: moved(record.run), swallowed: record.swallowed.map(moved) },
  }));
}

/** Two runs, the second of which was prepared on top of the first, as one. */
export function joinedRuns(first: PreparedRun, second: PreparedRun, around: LossSurroundings): PreparedRun {
  if (first.records.length === 0 || second.records.length === 0) return first;
  const { after } = second;
  const tokensSpent = {
    input: first.tokensSpent.input + second.tokensSpent.input,
    output: first.tokensSpent.output + second.tokensSpent.output,
  };
  const whole = { ...first, after, tokensSpent };
  return {
    ...whole,
    ...asWholeRun([...first.records, ...second.records], whole, around),
    plans: [...first.plans, ...second.plans],
    notes: [...first.notes, ...second.notes],
  };
}

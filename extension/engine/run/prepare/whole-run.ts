import type { LossReport } from '../../block/loss';
import type { CompactionRecord } from '../../journal/records';
import type { PreparedRun } from './prepared-run';
import { type LossSurroundings, RunLoss, withLoss } from './run-loss';

/** The records of a run, with what is known of it as a whole: its size, what it cost, and what the context that results has of what it replaced. */
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
  const known = withLoss(records, lossIn).map((record, index): CompactionRecord => {
    const { wholeRun: _earlier, ...rest } = record;
    const own = { ...rest, run: first.seq, runLength: records.length, contextTokens };
    return index > 0 ? own : { ...own, wholeRun: wholeRunOf(strategy, tokensSpent, records.length > 1 ? loss : null) };
  });
  return { records: known, loss };
}

function wholeRunOf(
  strategy: string,
  tokensSpent: PreparedRun['tokensSpent'],
  loss: LossReport | null,
): NonNullable<CompactionRecord['wholeRun']> {
  return { strategy, tokensSpent, ...(loss === null ? {} : { loss }) };
}

import type { ComparisonRow, StrategyView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { Loadable } from '../shared/loadable';

/** One strategy of the table; its result is null until it has been compared. */
export interface ComparisonLine {
  readonly strategy: StrategyView;
  readonly result: Loadable<ComparisonRow> | null;
}

/** `Checkpoint`, or `Checkpoint by claude-haiku-4-5`. */
export function runName({ title, summarizer }: ComparisonRow): string {
  return summarizer === null ? title : t('{0} by {1}', title, summarizer);
}

import type { ComparisonRow, StrategyView } from '../../../extension/protocol/view';
import type { Loadable } from '../shared/loadable';

/** One strategy of the table; its result is null until it has been compared. */
export interface ComparisonLine {
  readonly strategy: StrategyView;
  readonly result: Loadable<ComparisonRow> | null;
}

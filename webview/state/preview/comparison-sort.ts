import type { ComparisonRow, StrategyView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { Loadable } from '../shared/loadable';
import { nextSort as nextSortOf, type Sort, sortedBy } from '../shared/sort';

/** One strategy of the table; its result is null until it has been compared. */
export interface ComparisonLine {
  readonly strategy: StrategyView;
  readonly result: Loadable<ComparisonRow> | null;
}

/** `Checkpoint`, or `Checkpoint by claude-haiku-4-5`. */
export function runName({ title, summarizer }: ComparisonRow): string {
  return summarizer === null ? title : t('{0} by {1}', title, summarizer);
}

interface ComparisonColumnView {
  readonly id: ComparisonColumn;
  readonly label: string;
  readonly note: string;
}

export type ComparisonColumn = 'strategy' | 'after' | 'saved' | 'blocks' | 'messages' | 'files' | 'time';
export type ComparisonSort = Sort<ComparisonColumn>;

export const comparisonColumns: readonly ComparisonColumnView[] = [
  { id: 'strategy', label: t('Strategy'), note: t('By name') },
  { id: 'after', label: t('After'), note: t('Tokens of the context afterwards') },
  { id: 'saved', label: t('Saved'), note: t('Share of the context’s tokens that are saved') },
  { id: 'blocks', label: t('Blocks'), note: t('How many of its blocks the context would have') },
  {
    id: 'messages',
    label: t('Your messages'),
    note: t('Replaced messages of yours that are word for word in the resulting context'),
  },
  {
    id: 'files',
    label: t('Changed files'),
    note: t('Files that replaced calls changed and that the resulting context still names'),
  },
  { id: 'time', label: t('Time'), note: t('How long the dry run took') },
];

const values: Readonly<Record<Exclude<ComparisonColumn, 'strategy'>, (row: ComparisonRow) => number>> = {
  after: (row) => row.tokensAfter,
  saved: savedShare,
  blocks: (row) => row.blocks,
  messages: (row) => row.messagesNotWhole,
  files: (row) => row.filesUnnamed,
  time: (row) => row.durationMs,
};

/** Share of the tokens before, 0 to 1. */
function savedShare({ tokensBefore, tokensAfter }: ComparisonRow): number {
  return tokensBefore <= 0 ? 0 : (tokensBefore - tokensAfter) / tokensBefore;
}

export function nextSort(sort: ComparisonSort | null, column: ComparisonColumn): ComparisonSort | null {
  return nextSortOf(sort, column, column === 'saved' ? 'descending' : 'ascending');
}

/** Sorts the strategies that would compact; those with nothing to do or without a result follow in their own order. */
export function sortLines(lines: readonly ComparisonLine[], sort: ComparisonSort | null): readonly ComparisonLine[] {
  return sort === null ? lines : sortedBy(lines, sort, (line) => valueIn(line, sort.column));
}

function valueIn({ strategy, result }: ComparisonLine, column: ComparisonColumn): string | number | null {
  if (column === 'strategy') return strategy.title;
  return result?.kind === 'ready' && result.value.previewId !== null ? values[column](result.value) : null;
}

import type { ComparisonRow } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import type { ComparisonLine } from './comparison-line';

interface ComparisonColumnView {
  readonly id: ComparisonColumn;
  readonly label: string;
  readonly note: string;
}

export type ComparisonColumn = 'strategy' | 'after' | 'saved' | 'blocks' | 'messages' | 'files' | 'time';
type SortDirection = 'ascending' | 'descending';

export interface ComparisonSort {
  readonly column: ComparisonColumn;
  readonly direction: SortDirection;
}

export const comparisonColumns: readonly ComparisonColumnView[] = [
  { id: 'strategy', label: t('Strategy'), note: t('By name') },
  { id: 'after', label: t('After'), note: t('Tokens of the context afterwards') },
  { id: 'saved', label: t('Saved'), note: t('Share of the context’s tokens that are saved') },
  { id: 'blocks', label: t('Blocks'), note: t('How many blocks the context would have of it') },
  {
    id: 'messages',
    label: t('Your messages'),
    note: t('Replaced messages of yours that stand word for word in the resulting context'),
  },
  {
    id: 'files',
    label: t('Changed files'),
    note: t('Files that replaced calls changed and that the resulting context still names'),
  },
  { id: 'time', label: t('Time'), note: t('How long the dry run took') },
];

/** The direction of the first click: best first. */
const firstDirections: Readonly<Record<ComparisonColumn, SortDirection>> = {
  strategy: 'ascending',
  after: 'ascending',
  saved: 'descending',
  blocks: 'ascending',
  messages: 'ascending',
  files: 'ascending',
  time: 'ascending',
};

const values: Readonly<Record<Exclude<ComparisonColumn, 'strategy'>, (row: ComparisonRow) => number>> = {
  after: (row) => row.tokensAfter,
  saved: savedShare,
  blocks: (row) => row.blocks,
  messages: (row) => row.messagesNotWhole,
  files: (row) => row.filesUnnamed,
  time: (row) => row.durationMs,
};

/** Share of the tokens before, 0 to 1. */
export function savedShare({ tokensBefore, tokensAfter }: ComparisonRow): number {
  return tokensBefore <= 0 ? 0 : (tokensBefore - tokensAfter) / tokensBefore;
}

/** First one direction, then the other, then the order of the list of strategies. */
export function nextSort(sort: ComparisonSort | null, column: ComparisonColumn): ComparisonSort | null {
  const first = firstDirections[column];
  if (sort?.column !== column) return { column, direction: first };
  if (sort.direction !== first) return null;
  return { column, direction: first === 'ascending' ? 'descending' : 'ascending' };
}

/** Sorts the strategies that would compact; those with nothing to do or without a result follow in their own order. */
export function sortLines(lines: readonly ComparisonLine[], sort: ComparisonSort | null): readonly ComparisonLine[] {
  if (!sort) return lines;
  const sign = sort.direction === 'ascending' ? 1 : -1;
  return [...lines].sort((a, b) => {
    if (sort.column === 'strategy') return sign * a.strategy.title.localeCompare(b.strategy.title);
    const [rowA, rowB] = [compactingRow(a), compactingRow(b)];
    if (!rowA || !rowB) return Number(rowA === null) - Number(rowB === null);
    return sign * (values[sort.column](rowA) - values[sort.column](rowB));
  });
}

function compactingRow({ result }: ComparisonLine): ComparisonRow | null {
  return result?.kind === 'ready' && result.value.previewId !== null ? result.value : null;
}

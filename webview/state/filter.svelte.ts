import type { Row } from '../../extension/protocol/view';

/** What the timeline can be narrowed to. */
export const rowSelections = [
  { id: 'all', label: 'All rows' },
  { id: 'turns', label: 'User turns' },
  { id: 'assistant', label: 'Assistant' },
  { id: 'tools', label: 'Tools' },
  { id: 'failed', label: 'Failed tools' },
  { id: 'blocks', label: 'Compacted blocks' },
] as const;

export type RowSelection = (typeof rowSelections)[number]['id'];

const selects: Readonly<Record<RowSelection, (row: Row) => boolean>> = {
  all: () => true,
  turns: (row) => row.kind === 'user',
  assistant: (row) => row.kind === 'assistant' || row.kind === 'reasoning',
  tools: (row) => row.kind === 'tool',
  failed: (row) => row.tool?.outcome === 'error',
  blocks: (row) => row.block !== null,
};

export class TimelineFilter {
  isOpen = $state(false);
  text = $state('');
  selection = $state<RowSelection>('all');

  readonly isActive = $derived(this.isOpen && (this.text.trim() !== '' || this.selection !== 'all'));

  /** The rows themselves while nothing is filtered, so that the usual case costs nothing. */
  apply(rows: readonly Row[]): readonly Row[] {
    if (!this.isActive) return rows;
    const words = this.text.toLowerCase().split(/\s+/).filter(Boolean);
    return rows.filter((row) => selects[this.selection](row) && saysAll(row, words));
  }

  toggle = (): void => {
    this.isOpen = !this.isOpen;
  };

  clear = (): void => {
    this.text = '';
    this.selection = 'all';
  };
}

function saysAll(row: Row, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { tool, block } = row;
  const said = [row.preview, tool?.name, tool?.subject, tool?.result, block?.tag, block?.displayLine]
    .join(' ')
    .toLowerCase();
  return words.every((word) => said.includes(word));
}

import type { Row } from '../../extension/protocol/view';

/** Whose rows the timeline is narrowed to. */
export const rowSelections = [
  { id: 'all', label: 'All rows' },
  { id: 'turns', label: 'User' },
  { id: 'assistant', label: 'Assistant' },
  { id: 'tools', label: 'Tools' },
  { id: 'blocks', label: 'Compacted' },
] as const;

export type RowSelection = (typeof rowSelections)[number]['id'];

const selects: Readonly<Record<RowSelection, (row: Row) => boolean>> = {
  all: () => true,
  turns: (row) => row.kind === 'user',
  assistant: (row) => row.kind === 'assistant' || row.kind === 'reasoning',
  tools: (row) => row.kind === 'tool',
  blocks: (row) => row.block !== null,
};

export interface SavedFilter {
  readonly isOpen: boolean;
  readonly text: string;
  readonly selection: RowSelection;
  readonly tool: string;
  readonly failedOnly: boolean;
  readonly pinnedOnly: boolean;
}

export class TimelineFilter {
  isOpen = $state(false);
  /** A filter that was saved comes back without taking the keyboard. */
  wasOpenedByHand = false;
  text = $state('');
  selection = $state<RowSelection>('all');
  /** Only the calls of this tool; empty for all of them. */
  tool = $state('');
  failedOnly = $state(false);
  pinnedOnly = $state(false);

  /** In lower case; a row must say all of them. */
  readonly words = $derived(this.text.toLowerCase().split(/\s+/).filter(Boolean));
  readonly isNarrowed = $derived(
    this.words.length > 0 || this.selection !== 'all' || this.tool !== '' || this.failedOnly || this.pinnedOnly,
  );
  readonly isActive = $derived(this.isOpen && this.isNarrowed);

  readonly saved: SavedFilter = $derived({
    isOpen: this.isOpen,
    text: this.text,
    selection: this.selection,
    tool: this.tool,
    failedOnly: this.failedOnly,
    pinnedOnly: this.pinnedOnly,
  });

  /** The rows themselves while nothing is filtered, so that the usual case costs nothing. */
  apply(rows: readonly Row[]): readonly Row[] {
    return this.isActive ? rows.filter((row) => this.#lets(row)) : rows;
  }

  toggle = (): void => {
    this.isOpen = !this.isOpen;
    this.wasOpenedByHand = this.isOpen;
  };

  clear = (): void => {
    this.text = '';
    this.selection = 'all';
    this.tool = '';
    this.failedOnly = false;
    this.pinnedOnly = false;
  };

  restore(saved: SavedFilter): void {
    Object.assign(this, saved);
  }

  #lets(row: Row): boolean {
    if (!selects[this.selection](row)) return false;
    if (this.tool !== '' && row.tool?.name !== this.tool) return false;
    if (this.failedOnly && row.tool?.outcome !== 'error') return false;
    if (this.pinnedOnly && row.pinned.length === 0) return false;
    return saysAll(row, this.words);
  }
}

/** The names of the tools that were called, in alphabetical order. */
export function toolNames(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const { tool } of rows) if (tool) names.add(tool.name);
  return [...names].sort((a, b) => a.localeCompare(b));
}

function saysAll(row: Row, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { tool, block } = row;
  const said = [row.preview, tool?.name, tool?.subject, tool?.result, block?.tag, block?.displayLine]
    .join(' ')
    .toLowerCase();
  return words.every((word) => said.includes(word));
}

/** A text in pieces, of which those that say one of the words are found. */
export function foundIn(text: string, words: readonly string[]): { readonly text: string; readonly found: boolean }[] {
  if (words.length === 0) return [{ text, found: false }];
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text
    .split(new RegExp(`(${pattern})`, 'giu'))
    .map((piece, index) => ({ text: piece, found: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

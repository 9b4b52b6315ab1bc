import type { Row } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { haveAllWords, wordsOf } from '../shared/search-words';
import { rowGroups, rowKindTraits } from './row-kinds';

/** The groups of rows that the timeline can be filtered by. */
export const rowSelections = [
  { id: 'all', label: t('All rows') },
  ...rowGroups,
  { id: 'blocks', label: t('Compacted') },
] as const;

export type RowSelection = (typeof rowSelections)[number]['id'];

function isSelected({ kind, block }: Row, selection: RowSelection): boolean {
  if (selection === 'all') return true;
  return selection === 'blocks' ? block !== null : rowKindTraits[kind].group === selection;
}

const unfiltered = { text: '', selection: 'all', tool: '', failedOnly: false, pinnedOnly: false } as const;

export type SavedFilter = Readonly<Pick<TimelineFilter, 'isOpen' | keyof typeof unfiltered>>;

export class TimelineFilter {
  isOpen = $state(false);
  /** A restored filter does not take the focus. */
  wasOpenedByHand = false;
  text = $state('');
  selection = $state<RowSelection>('all');
  /** Name of the tool whose calls are shown; empty for all. */
  tool = $state('');
  failedOnly = $state(false);
  pinnedOnly = $state(false);

  /** In lower case; a row must contain all of them. */
  readonly words = $derived(wordsOf(this.text));
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

  /**
   * Returns the same array while nothing is filtered, so that the usual case costs nothing. `foundInFull`: keys of rows
   * with the words in text that the timeline does not show.
   */
  apply(rows: readonly Row[], foundInFull: ReadonlySet<string>): readonly Row[] {
    return this.isActive ? rows.filter((row) => this.#lets(row, foundInFull)) : rows;
  }

  toggle = (): void => {
    this.isOpen = !this.isOpen;
    this.wasOpenedByHand = this.isOpen;
  };

  open = (): void => {
    if (!this.isOpen) this.toggle();
  };

  clear = (): void => {
    Object.assign(this, unfiltered);
  };

  restore(saved: SavedFilter): void {
    Object.assign(this, saved);
  }

  #lets(row: Row, foundInFull: ReadonlySet<string>): boolean {
    if (!isSelected(row, this.selection)) return false;
    if (this.tool !== '' && row.tool?.name !== this.tool) return false;
    if (this.failedOnly && row.tool?.outcome !== 'error') return false;
    if (this.pinnedOnly && row.pinned.length === 0) return false;
    const { tool, block } = row;
    const texts = [row.preview, tool?.name, tool?.subject, tool?.result, block?.tag, block?.displayLine];
    return foundInFull.has(row.key) || haveAllWords(texts, this.words);
  }
}

/** The names of the tools that were called, in alphabetical order. */
export function toolNames(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const { tool } of rows) if (tool) names.add(tool.name);
  return [...names].sort((a, b) => a.localeCompare(b));
}

/** Splits a text into pieces; `found` marks those that match one of the words. */
export function foundIn(text: string, words: readonly string[]): { readonly text: string; readonly found: boolean }[] {
  if (words.length === 0) return [{ text, found: false }];
  return text
    .split(anyOf(words))
    .map((piece, index) => ({ text: piece, found: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

function anyOf(words: readonly string[]): RegExp {
  return new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'giu');
}

/** Characters kept before the first match; a match within the first `maxUncut` characters cuts nothing off. */
const before = 20;
const maxUncut = 30;

/** A text from shortly before the first match, so that the match is visible in a text that is cut at its end. */
export function fromFirstHit(text: string, words: readonly string[]): string {
  const hit = words.length === 0 ? -1 : text.search(anyOf(words));
  if (hit <= maxUncut) return text;
  const space = text.indexOf(' ', hit - before);
  const start = space >= 0 && space < hit ? space + 1 : hit - before;
  return `…${text.slice(start).replace(/^[\udc00-\udfff]/, '')}`;
}

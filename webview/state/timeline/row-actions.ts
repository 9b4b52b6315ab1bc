import type { RowAction } from '../../../extension/protocol/messages';
import type { Row, RowDetail, RowRange } from '../../../extension/protocol/view';
import type { SessionState } from '../session.svelte';
import type { Timeline } from './timeline.svelte';
import { findTurns } from './turns';

/** The tag of what a person took out of the context by hand. */
export const excludedTag = '[EXCLUDED]';

export function isExcluded({ block }: Row): boolean {
  return block?.tag === excludedTag;
}

/** What stands in the context as the session has it; blocks, the core and the system prompt are not taken out. */
export function canExclude(row: Row, isInContext: boolean): boolean {
  return isInContext && row.block === null && row.kind !== 'system' && row.kind !== 'core';
}

/** What the editor's own context menu goes by. */
export function menuContext(row: Row, isInContext: boolean): string {
  return JSON.stringify({
    webviewSection: 'row',
    strataRow: row.key,
    strataRowKind: row.kind,
    strataCanExclude: canExclude(row, isInContext),
    strataCanRestore: isExcluded(row) && isInContext,
    preventDefaultContextMenuItems: true,
  });
}

/** What row actions need of the panel. */
export interface RowHelpers {
  openPinFormFromRow(row: Row): void;
  previewRange(range: RowRange): void;
  exclude(key: string): void;
  /** Takes the compaction with this number back. */
  undo(seq: number): void;
  reveal(key: string): void;
  readRow(key: string): Promise<RowDetail>;
  copy(text: Promise<string>): void;
  branch(key: string): void;
}

/** The actions of a row, from its buttons, its keys and its context menu alike. */
export class RowActs {
  readonly #session: SessionState;
  readonly #timeline: Timeline;
  readonly #helpers: RowHelpers;

  constructor(session: SessionState, timeline: Timeline, helpers: RowHelpers) {
    this.#session = session;
    this.#timeline = timeline;
    this.#helpers = helpers;
  }

  /** A row that has gone since its menu was opened has no actions any more. */
  act = (action: RowAction, key: string): void => {
    if (action === 'fold-all') this.#timeline.foldAll();
    else if (action === 'unfold-all') this.#timeline.unfoldAll();
    else {
      const row = this.#find(key);
      if (row) this.#acts[action](row);
    }
  };

  readonly #acts: Readonly<Record<Exclude<RowAction, 'fold-all' | 'unfold-all'>, (row: Row) => void>> = {
    pin: (row) => this.#helpers.openPinFormFromRow(row),
    'compact-up-to': (row) => this.#helpers.previewRange({ from: null, upTo: this.#turnOf(row) }),
    'compact-from': (row) => this.#helpers.previewRange({ from: this.#turnOf(row), upTo: null }),
    exclude: (row) => this.#helpers.exclude(row.key),
    restore: (row) => this.#restore(row),
    reveal: (row) => this.#helpers.reveal(row.key),
    copy: (row) => this.#helpers.copy(this.#textOf(row)),
    branch: (row) => this.#helpers.branch(row.key),
  };

  #find(key: string): Row | undefined {
    const isWanted = (row: Row) => row.key === key;
    return this.#session.rows.find(isWanted) ?? this.#timeline.lines.find(({ row }) => isWanted(row))?.row;
  }

  /** The row that opens the turn of a row; of what stands before all turns, that of the first one. */
  #turnOf(row: Row): string | null {
    const { rows } = this.#session;
    const index = rows.findIndex(({ key }) => key === row.key);
    const opener = findTurns(rows).opener[index] ?? -1;
    const turn = rows[opener] ?? rows.slice(Math.max(0, index)).find(({ kind }) => kind === 'user');
    return turn?.key ?? null;
  }

  #restore(row: Row): void {
    const [by, seq] = row.block?.compactionId.split(':') ?? [];
    if (isExcluded(row) && by === 'strata') this.#helpers.undo(Number(seq));
  }

  async #textOf(row: Row): Promise<string> {
    const { sections } = await this.#helpers.readRow(row.key);
    return sections.map(({ text }) => text).join('\n\n');
  }
}

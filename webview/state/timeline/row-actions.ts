import type { RowAction } from '../../../extension/protocol/messages';
import type { Caller } from '../../../extension/protocol/rpc';
import type { Row, RowRange } from '../../../extension/protocol/view';
import type { Actions } from '../actions';
import type { SessionState } from '../session.svelte';
import { opensTurn, rowKindTraits } from './row-kinds';
import type { Timeline } from './timeline.svelte';
import { findTurns } from './turns';

/** The tag of messages that the user excluded from the context. */
const excludedTag = '[EXCLUDED]';

export function isExcluded({ block }: Row): boolean {
  return block?.tag === excludedTag;
}

/** Only unchanged messages of the session can be excluded; not blocks, the core or the system prompt. */
export function canExclude(row: Row, isInContext: boolean): boolean {
  return isInContext && row.block === null && !rowKindTraits[row.kind].cannotExclude;
}

/** Context values for the editor's own context menu. In the past nothing can be changed. */
export function menuContext(row: Row, isInContext: boolean, isPast = false): string {
  return JSON.stringify({
    webviewSection: 'row',
    strataRow: row.key,
    strataRowKind: row.kind,
    strataOpensTurn: opensTurn(row),
    strataCanReveal: !rowKindTraits[row.kind].cannotReveal,
    strataCanChange: !isPast,
    strataCanExclude: !isPast && canExclude(row, isInContext),
    strataCanRestore: !isPast && isExcluded(row) && isInContext,
    preventDefaultContextMenuItems: true,
  });
}

/** The parts of the panel that row actions use. */
interface RowActionsPanel {
  readonly session: SessionState;
  readonly timeline: Timeline;
  readonly actions: Pick<Actions, 'excludeRow' | 'undo' | 'revealRow' | 'copyWhenRead' | 'fork'>;
  readonly pinning: { openFromRow(row: Row): void };
  readonly previews: { openRange(range: RowRange): void };
}

/** The actions of a row, for its buttons, keys and context menu. */
export class RowActionHandlers {
  constructor(
    private readonly panel: RowActionsPanel,
    private readonly request: Caller['request'],
  ) {}

  /** A row that disappeared after its menu was opened has no actions. */
  act = (action: RowAction, key: string): void => {
    if (action === 'fold-all') this.panel.timeline.foldAll();
    else if (action === 'unfold-all') this.panel.timeline.unfoldAll();
    else {
      const row = this.#find(key);
      if (row && row.kind !== 'earlier') this.#acts[action](row);
    }
  };

  readonly #acts: Readonly<Record<Exclude<RowAction, 'fold-all' | 'unfold-all'>, (row: Row) => void>> = {
    pin: (row) => this.panel.pinning.openFromRow(row),
    'compact-up-to': (row) => this.panel.previews.openRange({ from: null, upTo: this.#turnOf(row) }),
    'compact-from': (row) => this.panel.previews.openRange({ from: this.#turnOf(row), upTo: null }),
    exclude: (row) => void this.panel.actions.excludeRow(row.key),
    restore: (row) => this.#restore(row),
    reveal: (row) => void this.panel.actions.revealRow(row.key),
    copy: (row) => void this.panel.actions.copyWhenRead(this.#textOf(row)),
    branch: (row) => void this.panel.actions.fork(row.key),
  };

  #find(key: string): Row | undefined {
    const isWanted = (row: Row) => row.key === key;
    return this.panel.session.rows.find(isWanted) ?? this.panel.timeline.lines.find(({ row }) => isWanted(row))?.row;
  }

  /** The row that opens a row's turn; for a row before all turns, the row that opens the first turn. */
  #turnOf(row: Row): string | null {
    const { rows } = this.panel.session;
    const index = rows.findIndex(({ key }) => key === row.key);
    const opener = findTurns(rows).opener[index] ?? -1;
    const turn = rows[opener] ?? rows.slice(Math.max(0, index)).find(opensTurn);
    return turn?.key ?? null;
  }

  #restore(row: Row): void {
    const [by, seq] = row.block?.compactionId.split(':') ?? [];
    if (isExcluded(row) && by === 'strata') void this.panel.actions.undo({ run: Number(seq) });
  }

  async #textOf(row: Row): Promise<string> {
    const { sections } = await this.request('read-row', { key: row.key });
    return sections.map(({ text }) => text).join('\n\n');
  }
}

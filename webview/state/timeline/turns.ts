import type { Row } from '../../../extension/protocol/view';
import { opensTurn } from './row-kinds';

/** The turn of each row; all arrays are indexed by row. */
export interface Turns {
  /** Index of the row that opens the turn of this row, which may be this row; -1 for rows outside turns. */
  readonly opener: Int32Array;
  /** For a row that opens a turn: the first row after the turn. */
  readonly end: Int32Array;
  /** 1-based position among the rows of its turn, or among turns and rows outside turns. */
  readonly place: Int32Array;
  /** Number of turns and rows outside turns. */
  readonly size: number;
}

/** Rows outside turns: a goal batch replaces whole turns, and an agent's summary precedes all turns. */
function isOutsideTurns({ kind, block }: Row): boolean {
  return kind === 'system' || kind === 'core' || kind === 'goal_batch' || block?.by === 'agent';
}

export function findTurns(rows: readonly Row[]): Turns {
  const numbers = () => new Int32Array(rows.length);
  const [opener, end, place] = [numbers(), numbers(), numbers()];
  let open = -1;
  let size = 0;
  rows.forEach((row, index) => {
    if (opensTurn(row)) open = index;
    else if (isOutsideTurns(row)) open = -1;
    const isChild = open >= 0 && open !== index;
    if (!isChild) size += 1;
    opener[index] = open;
    place[index] = isChild ? index - open : size;
    if (open >= 0) end[open] = index + 1;
  });
  return { opener, end, place, size };
}

/** Number of rows of a turn after the one that opens it. */
export function rowsAfter(turns: Turns, opener: number): number {
  return (turns.end[opener] ?? 0) - opener - 1;
}

/** Summary of the rows that a folded turn hides. */
export interface HiddenRows {
  readonly rows: number;
  readonly tokens: number;
  readonly failed: number;
  readonly running: number;
}

export function hiddenRows(rows: readonly Row[], turns: Turns, opener: number): HiddenRows {
  const hidden = { rows: rowsAfter(turns, opener), tokens: 0, failed: 0, running: 0 };
  for (let index = opener + 1; index <= opener + hidden.rows; index += 1) {
    const row = rows[index];
    hidden.tokens += row?.tokens ?? 0;
    if (row?.tool?.outcome === 'error') hidden.failed += 1;
    if (row?.tool?.outcome === 'running') hidden.running += 1;
  }
  return hidden;
}

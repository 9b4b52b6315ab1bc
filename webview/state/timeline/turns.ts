import type { Row } from '../../../extension/protocol/view';
import { sameFromStart } from './running';

/** Which rows belong to which turn; all arrays are indexed by row. */
export interface Turns {
  /** The row that opens the turn (its own index for that row itself); -1 for rows outside turns. */
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

/** The turns of some rows. */
export interface FoundTurns {
  readonly rows: readonly Row[];
  readonly turns: Turns;
}

/** Reuses the result for the unchanged rows, because it runs on every change of a session of any length. */
export function findTurns(rows: readonly Row[], before: FoundTurns | null = null): Turns {
  const same = before ? sameFromStart(before.rows, rows) : 0;
  const numbers = (of: 'opener' | 'end' | 'place') => grown(before?.turns[of], same, rows.length);
  const [opener, end, place] = [numbers('opener'), numbers('end'), numbers('place')];
  let open = same > 0 ? (opener[same - 1] ?? -1) : -1;
  let size = same > 0 ? (place[open >= 0 ? open : same - 1] ?? 0) : 0;
  if (open >= 0) end[open] = same;
  for (let index = same; index < rows.length; index += 1) {
    const row = rows[index];
    if (!row) continue;
    if (row.kind === 'user') open = index;
    else if (isOutsideTurns(row)) open = -1;
    const isChild = open >= 0 && open !== index;
    if (!isChild) size += 1;
    opener[index] = open;
    place[index] = isChild ? index - open : size;
    if (open >= 0) end[open] = index + 1;
  }
  return { opener, end, place, size };
}

function grown(numbers: Int32Array | undefined, kept: number, length: number): Int32Array {
  const longer = new Int32Array(length);
  if (numbers) longer.set(numbers.subarray(0, kept));
  return longer;
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

import type { Row } from '../../extension/protocol/view';

/** Which rows belong to which turn; all arrays go by the index of the row. */
export interface Turns {
  /** The row that opens the turn, itself included; -1 for rows of no turn. */
  readonly opener: Int32Array;
  /** Of a row that opens a turn: the first row after the turn. */
  readonly end: Int32Array;
  /** The place among the rows of its turn, or among turns and rows of no turn; 1-based. */
  readonly place: Int32Array;
  /** How many turns and rows of no turn there are. */
  readonly size: number;
}

/** A goal batch stands for turns of its own, and what an agent summed up stood before all of them. */
function isOutsideTurns({ kind, block }: Row): boolean {
  return kind === 'system' || kind === 'core' || kind === 'goal_batch' || block?.by === 'agent';
}

/** One pass over numbers: it runs with every change of a session, however long that is. */
export function findTurns(rows: readonly Row[]): Turns {
  const opener = new Int32Array(rows.length).fill(-1);
  const end = new Int32Array(rows.length);
  const place = new Int32Array(rows.length);
  let open = -1;
  let size = 0;
  for (let index = 0; index < rows.length; index += 1) {
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

/** How many rows follow the one that opens a turn. */
export function rowsAfter(turns: Turns, opener: number): number {
  return (turns.end[opener] ?? 0) - opener - 1;
}

/** What a folded turn says of the rows that it hides. */
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

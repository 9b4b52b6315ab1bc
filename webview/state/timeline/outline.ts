import type { Row } from '../../../extension/protocol/view';
import type { Loadable } from '../shared/loadable';
import { rowsAfter, type Turns } from './turns';

/** One line of the timeline: a row of the context, or a row beneath an opened block. */
export interface Line {
  /** The row's key; below a block, with the keys of the blocks above in front, for a row may lie in two of them. */
  readonly key: string;
  readonly row: Row;
  /** 1 for the context itself. */
  readonly level: number;
  /** The kind of the block right above, which gives the guide line its colour. */
  readonly parentKind: Row['kind'] | null;
  /** 0-based among its siblings; only below a block, because rows of the context shift with every change. */
  readonly position: number;
  readonly siblings: number;
}

/** What stands beneath each opened block, by the key of the block's line. */
export type Expansions = ReadonlyMap<string, Loadable<readonly Row[]>>;

/** The turns of the rows, and the keys of the rows whose turns are folded. */
export interface Folding {
  readonly turns: Turns;
  readonly folded: ReadonlySet<string>;
}

export interface Outline {
  readonly lines: readonly Line[];
  /** How many rows there are, hidden ones included. */
  readonly size: number;
  /** The index of the row that each line is, or lies beneath; null while every row is one line. */
  readonly rowOfLine: Int32Array | null;
  /** Null while rows are filtered: what is left of a turn is none. */
  readonly turns: Turns | null;
}

/** Rows keep their line over changes, so that a line on screen is painted again only when its row differs. */
const knownLines = new WeakMap<Row, Line>();
/** The lines of the rows that were asked for last. Most changes leave most of them as they are. */
let newest: { readonly rows: readonly Row[]; readonly lines: readonly Line[] } = { rows: [], lines: [] };

function topLine(row: Row): Line {
  const known = knownLines.get(row);
  if (known) return known;
  const line: Line = { key: row.key, row, level: 1, parentKind: null, position: 0, siblings: 0 };
  knownLines.set(row, line);
  return line;
}

/** Looks up only what lies between the rows that are the same at both ends as they were the last time. */
function topLines(rows: readonly Row[]): readonly Line[] {
  const { rows: before, lines } = newest;
  const shorter = Math.min(rows.length, before.length);
  let start = 0;
  while (start < shorter && rows[start] === before[start]) start += 1;
  let end = 0;
  while (end < shorter - start && rows.at(-1 - end) === before.at(-1 - end)) end += 1;
  const changed = rows.slice(start, rows.length - end).map(topLine);
  newest = { rows, lines: lines.slice(0, start).concat(changed, lines.slice(lines.length - end)) };
  return newest.lines;
}

export function childKey(parentKey: string, rowKey: string): string {
  return `${parentKey}>${rowKey}`;
}

export function buildOutline(rows: readonly Row[], expansions: Expansions, folding: Folding | null): Outline {
  const all = topLines(rows);
  const turns = folding?.turns ?? null;
  if (expansions.size === 0 && !folding?.folded.size) return { lines: all, size: rows.length, rowOfLine: null, turns };
  const lines: Line[] = [];
  const rowOfLine: number[] = [];
  for (let index = 0; index < all.length; index += 1) {
    const line = all[index];
    if (!line) continue;
    lines.push(line);
    pushBeneath(lines, line, expansions);
    while (rowOfLine.length < lines.length) rowOfLine.push(index);
    if (folding?.folded.has(line.key) && line.row.kind === 'user') index += rowsAfter(folding.turns, index);
  }
  return { lines, size: rows.length, rowOfLine: Int32Array.from(rowOfLine), turns };
}

function pushBeneath(lines: Line[], parent: Line, expansions: Expansions): void {
  const beneath = expansions.get(parent.key);
  if (beneath?.kind !== 'ready') return;
  const siblings = beneath.value.length;
  for (const [position, row] of beneath.value.entries()) {
    const key = childKey(parent.key, row.key);
    const line: Line = { key, row, level: parent.level + 1, parentKind: parent.row.kind, position, siblings };
    lines.push(line);
    pushBeneath(lines, line, expansions);
  }
}

/** Where a line stands in the tree, as screen readers say it. Position and size are among its siblings, 1-based. */
export interface Place {
  readonly level: number;
  readonly position: number;
  readonly size: number;
}

export function placeOf(outline: Outline, index: number): Place {
  const { turns } = outline;
  const row = rowIndexOf(outline, index);
  const line = outline.lines[index];
  const opener = turns?.opener[row] ?? -1;
  const inTurn = turns !== null && opener >= 0 && opener !== row;
  if (line && line.level > 1) {
    return { level: line.level + (inTurn ? 1 : 0), position: line.position + 1, size: line.siblings };
  }
  if (!turns) return { level: 1, position: row + 1, size: outline.size };
  return {
    level: inTurn ? 2 : 1,
    position: turns.place[row] ?? 1,
    size: inTurn ? rowsAfter(turns, opener) : turns.size,
  };
}

/** The index of the context row that a line is, or lies beneath. */
export function rowIndexOf({ rowOfLine }: Outline, lineIndex: number): number {
  return rowOfLine?.[lineIndex] ?? lineIndex;
}

/** The last context row that a line stands for: that of a folded turn, the last one that it hides. */
export function lastRowOf(outline: Outline, lineIndex: number): number {
  const next = lineIndex + 1 < outline.lines.length ? rowIndexOf(outline, lineIndex + 1) : outline.size;
  return Math.max(rowIndexOf(outline, lineIndex), next - 1);
}

/** The line of a context row, or of the folded turn that hides it. */
export function lineIndexOf({ rowOfLine }: Outline, rowIndex: number): number {
  if (!rowOfLine) return rowIndex;
  const line = firstLineFrom(rowOfLine, rowIndex);
  if (rowOfLine[line] === rowIndex || line === 0) return line;
  return firstLineFrom(rowOfLine, rowOfLine[line - 1] ?? 0);
}

function firstLineFrom(rowOfLine: Int32Array, rowIndex: number): number {
  let low = 0;
  let high = rowOfLine.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rowOfLine[middle] ?? 0) < rowIndex) low = middle + 1;
    else high = middle;
  }
  return low;
}

import type { Row, RowsBeneath } from '../../../extension/protocol/view';
import type { Loadable } from '../shared/loadable';
import { opensTurn } from './row-kinds';
import { rowsAfter, type Turns } from './turns';

/** One line of the timeline: a row of the context, or a row beneath an open block. */
export interface Line {
  /** The row's key; beneath a block, prefixed with the keys of its blocks, because a row may be in two of them. */
  readonly key: string;
  readonly row: Row;
  /** 1 for the context itself. */
  readonly level: number;
  /** The kind of the parent block, which determines the colour of the guide line. */
  readonly parentKind: Row['kind'] | null;
  /** 0-based index among its siblings; only beneath a block, because rows of the context shift with every change. */
  readonly position: number;
  readonly siblings: number;
}

/** The rows beneath each open block, by the key of the block's line. */
type Expansions = ReadonlyMap<string, Loadable<RowsBeneath>>;

/** The turns of the rows, and the keys of the rows whose turns are folded. */
interface Folding {
  readonly turns: Turns;
  readonly folded: ReadonlySet<string>;
}

interface Outline {
  readonly lines: readonly Line[];
  /** Number of rows, including hidden ones. */
  readonly size: number;
  /** For each line, the index of its row or of the row above it; null while every row is one line. */
  readonly rowOfLine: Int32Array | null;
  /** Null while rows are filtered, because a partial turn is not a turn. */
  readonly turns: Turns | null;
}

/** A row keeps its line object over changes, so that a line is rendered again only if its row differs. */
const knownLines = new WeakMap<Row, Line>();

function topLine(row: Row): Line {
  const known = knownLines.get(row);
  if (known) return known;
  const line: Line = { key: row.key, row, level: 1, parentKind: null, position: 0, siblings: 0 };
  knownLines.set(row, line);
  return line;
}

function childKey(parentKey: string, rowKey: string): string {
  return `${parentKey}>${rowKey}`;
}

export function buildOutline(rows: readonly Row[], expansions: Expansions, folding: Folding | null): Outline {
  const all = rows.map(topLine);
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
    if (folding?.folded.has(line.key) && opensTurn(line.row)) index += rowsAfter(folding.turns, index);
  }
  return { lines, size: rows.length, rowOfLine: Int32Array.from(rowOfLine), turns };
}

function pushBeneath(lines: Line[], parent: Line, expansions: Expansions): void {
  const beneath = expansions.get(parent.key);
  if (beneath?.kind !== 'ready') return;
  const { rows } = beneath.value;
  const siblings = rows.length;
  for (const [position, row] of rows.entries()) {
    const key = childKey(parent.key, row.key);
    const line: Line = { key, row, level: parent.level + 1, parentKind: parent.row.kind, position, siblings };
    lines.push(line);
    pushBeneath(lines, line, expansions);
  }
}

/** The position of a line in the tree for screen readers. Position and size are among its siblings, 1-based. */
export interface TreePosition {
  readonly level: number;
  readonly position: number;
  readonly size: number;
}

export function treePositionOf(outline: Outline, index: number): TreePosition {
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

/** Index of a line's context row, or of the context row above it. */
export function rowIndexOf({ rowOfLine }: Outline, lineIndex: number): number {
  return rowOfLine?.[lineIndex] ?? lineIndex;
}

/** The last context row that a line represents; for a folded turn, the last row that it hides. */
export function lastRowOf(outline: Outline, lineIndex: number): number {
  const next = lineIndex + 1 < outline.lines.length ? rowIndexOf(outline, lineIndex + 1) : outline.size;
  return Math.max(rowIndexOf(outline, lineIndex), next - 1);
}

/** Index of the line of a context row, or of the folded turn that hides it. */
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

/** Index of the first line that shows an entry: its row, or the first row of a reply; -1 if there is none. */
export function lineOfEntry(lines: readonly Pick<Line, 'row'>[], entryId: string): number {
  return lines.findIndex(({ row }) => row.key === entryId || row.key.startsWith(`${entryId}#`));
}

import type { Row } from '../../extension/protocol/view';
import type { Loadable } from './loadable';

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

export interface Outline {
  readonly lines: readonly Line[];
  /** How many lines of the first level there are. */
  readonly size: number;
  /** Where lines below blocks stand, in order: from line `at` on, `count` of them. */
  readonly insertions: readonly { readonly at: number; readonly count: number }[];
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

export function buildOutline(rows: readonly Row[], expansions: Expansions): Outline {
  if (expansions.size === 0) return { lines: topLines(rows), size: rows.length, insertions: [] };
  const lines: Line[] = [];
  const insertions: { at: number; count: number }[] = [];
  for (const line of topLines(rows)) {
    lines.push(line);
    const at = lines.length;
    pushBeneath(lines, line, expansions);
    if (lines.length > at) insertions.push({ at, count: lines.length - at });
  }
  return { lines, size: rows.length, insertions };
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

/** The place of a line among its siblings, 1-based, as screen readers say it. */
export function placeOf(outline: Outline, index: number): { position: number; size: number } {
  const line = outline.lines[index];
  if (line && line.level > 1) return { position: line.position + 1, size: line.siblings };
  return { position: rowIndexOf(outline, index) + 1, size: outline.size };
}

/** The index of the context row that a line is, or lies beneath. */
export function rowIndexOf(outline: Outline, lineIndex: number): number {
  let inserted = 0;
  for (const { at, count } of outline.insertions) {
    if (at > lineIndex) break;
    inserted += Math.min(count, lineIndex - at + 1);
  }
  return lineIndex - inserted;
}

/** The line of a context row. */
export function lineIndexOf(outline: Outline, rowIndex: number): number {
  let index = rowIndex;
  for (const { at, count } of outline.insertions) {
    if (at > index) break;
    index += count;
  }
  return index;
}

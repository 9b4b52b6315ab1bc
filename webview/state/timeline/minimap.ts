import type { Row, RowKind } from '../../../extension/protocol/view';
import type { Leaving } from '../preview/leaving';
import { opensTurn } from './row-kinds';

/** Consecutive pixels of one colour. */
interface MinimapRun {
  readonly kind: RowKind;
  readonly top: number;
  readonly height: number;
}

/** Tokens above each row, followed by the total. The other functions here use these offsets. */
export function tokensAbove(rows: readonly Row[]): Float64Array {
  const above = new Float64Array(rows.length + 1);
  rows.forEach(({ tokens }, index) => {
    above[index + 1] = (above[index] ?? 0) + tokens;
  });
  return above;
}

function totalOf(offsets: Float64Array): number {
  return offsets.at(-1) ?? 0;
}

type KindOf = (row: Row) => RowKind | null;

/**
 * The rows as a column of coloured pixels with heights proportional to tokens. A pixel shared by several rows has the
 * colour of the row with most tokens in it, so there are never more runs than pixels.
 */
export function minimapRuns(
  rows: readonly Row[],
  offsets: Float64Array,
  height: number,
  kindOf: KindOf = ({ kind }) => kind,
): MinimapRun[] {
  const pixels = Math.floor(height);
  if (totalOf(offsets) <= 0 || pixels < 1) return [];
  return runsOf(pixelKinds(rows, offsets, pixels, kindOf));
}

function pixelKinds(rows: readonly Row[], offsets: Float64Array, pixels: number, kindOf: KindOf): (RowKind | null)[] {
  const kinds = new Array<RowKind | null>(pixels).fill(null);
  const largest = new Float64Array(pixels);
  const pixelsPerToken = pixels / totalOf(offsets);
  for (const [index, row] of rows.entries()) {
    const start = (offsets[index] ?? 0) * pixelsPerToken;
    const end = (offsets[index + 1] ?? 0) * pixelsPerToken;
    for (let pixel = Math.floor(start); pixel < Math.min(pixels, Math.ceil(end)); pixel += 1) {
      const covered = Math.min(end, pixel + 1) - Math.max(start, pixel);
      if (covered > (largest[pixel] ?? 0)) {
        largest[pixel] = covered;
        kinds[pixel] = kindOf(row);
      }
    }
  }
  return kinds;
}

function runsOf(kinds: readonly (RowKind | null)[]): MinimapRun[] {
  const runs: { kind: RowKind; top: number; height: number }[] = [];
  for (const [top, kind] of kinds.entries()) {
    const last = runs.at(-1);
    if (last && last.kind === kind && last.top + last.height === top) last.height += 1;
    else if (kind) runs.push({ kind, top, height: 1 });
  }
  return runs;
}

/** The pixels of rows that a preview would replace. */
export function leavingRuns(rows: readonly Row[], offsets: Float64Array, height: number, leaving: Leaving) {
  return leaving.size === 0 ? [] : minimapRuns(rows, offsets, height, ({ key }) => leaving.get(key) ?? null);
}

/** Pixels at which turns begin; empty if there are so many that they would hide everything else. */
export function turnMarks(rows: readonly Row[], offsets: Float64Array, height: number): number[] {
  const closest = 6;
  const total = totalOf(offsets);
  if (total <= 0) return [];
  const marks = new Set<number>();
  for (const [index, row] of rows.entries()) {
    if (!opensTurn(row)) continue;
    marks.add(Math.floor(((offsets[index] ?? 0) / total) * height));
    if (marks.size > height / closest) return [];
  }
  return [...marks];
}

/** A place that is shown regardless of its tokens: a compaction, or a row from which something was pinned. */
interface MinimapMark {
  readonly kind: 'pin' | RowKind;
  readonly top: number;
}

/** At most one mark of each kind per pixel. */
export function minimapMarks(rows: readonly Row[], offsets: Float64Array, height: number): MinimapMark[] {
  const total = totalOf(offsets);
  if (total <= 0 || height < 1) return [];
  const marks = new Map<string, MinimapMark>();
  for (const [index, row] of rows.entries()) {
    if (row.block === null && row.pinned.length === 0) continue;
    const kind = row.block ? row.kind : 'pin';
    const top = Math.min(Math.floor(height) - 1, Math.floor(((offsets[index] ?? 0) / total) * height));
    marks.set(`${kind} ${top}`, { kind, top });
  }
  return [...marks.values()];
}

/** The row at a share of all tokens, 0 to 1. */
export function rowAtShare(offsets: Float64Array, share: number): number {
  const wanted = share * totalOf(offsets);
  let low = 0;
  let high = offsets.length - 2;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((offsets[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

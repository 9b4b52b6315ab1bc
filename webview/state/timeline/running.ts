import type { Row } from '../../../extension/protocol/view';

/** A cumulative value over the rows. */
export interface Running {
  readonly rows: readonly Row[];
  /** The value after 0, 1, … rows; one element more than there are rows. */
  readonly values: Float64Array;
}

/** Length of the common prefix of two lists of rows. */
export function sameFromStart(before: readonly Row[], after: readonly Row[]): number {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  return same;
}

/** Reuses the values of the common prefix, so that one more row costs one step. */
export function running(
  rows: readonly Row[],
  before: Running | null,
  next: (value: number, row: Row) => number,
): Running {
  const same = before ? sameFromStart(before.rows, rows) : 0;
  const values = new Float64Array(rows.length + 1);
  if (before) values.set(before.values.subarray(0, same + 1));
  let value = values[same] ?? 0;
  for (let index = same; index < rows.length; index += 1) {
    const row = rows[index];
    if (row) value = next(value, row);
    values[index + 1] = value;
  }
  return { rows, values };
}

/** The maximum tokens of a row, without blocks and the system prompt, which would flatten all others. */
export function largestTokens(rows: readonly Row[], before: Running | null): Running {
  return running(rows, before, (largest, { block, kind, tokens }) =>
    !block && kind !== 'system' && tokens > largest ? tokens : largest,
  );
}

import type { Row } from '../../../extension/protocol/view';

/** A figure over the rows that grows with them. */
export interface Running {
  readonly rows: readonly Row[];
  /** After each number of rows, none of them included: one more than there are rows. */
  readonly values: Float64Array;
}

/** How many rows two lists have in common from their start. */
export function sameFromStart(before: readonly Row[], after: readonly Row[]): number {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same += 1;
  return same;
}

/** Takes over what is known of rows that are the same as before: one more row costs one step. */
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

/** The most tokens that any of the rows has. Blocks and the system prompt would flatten all others. */
export function largestTokens(rows: readonly Row[], before: Running | null): Running {
  return running(rows, before, (largest, { block, kind, tokens }) =>
    !block && kind !== 'system' && tokens > largest ? tokens : largest,
  );
}

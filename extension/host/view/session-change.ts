import type { SessionChange } from '../../protocol/messages';
import type { Row, SessionView } from '../../protocol/view';

const comparedByValue = [
  'header',
  'gauge',
  'ageLineKey',
  'compactions',
  'core',
  'undo',
  'redo',
  'autoCompact',
  'notices',
] as const;

/** The difference between two views of a session; only this is sent to the webview. */
export function sessionChange(before: SessionView, after: SessionView): SessionChange {
  const changed = comparedByValue.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const splice = spliceOf(before.rows, after.rows);
  const earlierRowsFollow = after.earlierRowsFollow ?? false;
  return {
    revision: after.revision,
    ...Object.fromEntries(changed.map((key) => [key, after[key]])),
    ...(earlierRowsFollow === (before.earlierRowsFollow ?? false) ? {} : { earlierRowsFollow }),
    ...(splice ? { splice } : {}),
  };
}

type Splice = NonNullable<SessionChange['splice']>;

/** The one replaced range of rows, between identical objects at both ends. */
function spliceOf(before: readonly Row[], after: readonly Row[]): Splice | null {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  let same = 0;
  while (same < shorter - at && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const removed = before.length - at - same;
  const rows = after.slice(at, after.length - same);
  return removed === 0 && rows.length === 0 ? null : { at, removed, rows };
}

/** Maximum number of rows per message, to avoid noticeable delays from copying and painting. */
const maxRowsPerChange = 8000;

/**
 * Splits a change into messages of limited size, newest rows first, with consecutive revisions. Splits only changes that
 * add rows or replace them one for one, so that no row appears twice in between.
 */
export function inPieces(change: SessionChange, before: readonly Row[]): readonly SessionChange[] {
  const { splice, earlierRowsFollow, ...fields } = change;
  if (!splice || splice.rows.length <= maxRowsPerChange || !canBeCut(splice, before)) return [change];
  const pieces = piecesOf(splice);
  return pieces.map((piece, index) => ({
    ...(index === 0 ? fields : {}),
    ...(earlierRowsFollow !== undefined && index === pieces.length - 1 ? { earlierRowsFollow } : {}),
    revision: change.revision + index,
    splice: piece,
  }));
}

function canBeCut({ at, removed, rows }: Splice, before: readonly Row[]): boolean {
  return removed === 0 || (removed === rows.length && rows.every((row, index) => row.key === before[at + index]?.key));
}

function piecesOf({ at, removed, rows }: Splice): Splice[] {
  const pieces: Splice[] = [];
  for (let end = rows.length; end > 0; end -= maxRowsPerChange) {
    const start = Math.max(0, end - maxRowsPerChange);
    const exchanged = removed === 0 ? { at, removed: 0 } : { at: at + start, removed: end - start };
    pieces.push({ ...exchanged, rows: rows.slice(start, end) });
  }
  return pieces;
}

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

/** What differs between two views of one session: the webview repaints that, and nothing else is sent. */
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

/** One replaced stretch, found by the rows that are the same objects at either end. */
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

/** Rows that a message carries at most: to copy and to paint more at once would be felt. */
const rowsAtOnce = 8000;

/**
 * The same change in messages of a bearable size, newest rows first, with revisions that go on from the first one's. Only
 * what adds rows or exchanges them one for one is cut: in between, no row may be there twice.
 */
export function inPieces(change: SessionChange, before: readonly Row[]): readonly SessionChange[] {
  const { splice, earlierRowsFollow, ...fields } = change;
  if (!splice || splice.rows.length <= rowsAtOnce || !canBeCut(splice, before)) return [change];
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
  for (let end = rows.length; end > 0; end -= rowsAtOnce) {
    const start = Math.max(0, end - rowsAtOnce);
    const exchanged = removed === 0 ? { at, removed: 0 } : { at: at + start, removed: end - start };
    pieces.push({ ...exchanged, rows: rows.slice(start, end) });
  }
  return pieces;
}

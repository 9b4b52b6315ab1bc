import type { RowSizes, SessionChange } from '../../protocol/messages';
import type { Row, SessionView } from '../../protocol/view';

/** The difference between two views of a session; only this is sent to the webview. */
export function sessionChange(before: SessionView, after: SessionView): SessionChange {
  const { revision: _revision, rows: _rows, earlierRowsFollow: _follow, ...comparedByValue } = after;
  const fields = Object.keys(comparedByValue) as (keyof typeof comparedByValue)[];
  const changed = fields.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const splice = spliceOf(before.rows, after.rows);
  const earlierRowsFollow = after.earlierRowsFollow ?? false;
  return {
    revision: after.revision,
    ...Object.fromEntries(changed.map((key) => [key, after[key]])),
    ...(earlierRowsFollow === (before.earlierRowsFollow ?? false) ? {} : { earlierRowsFollow }),
    ...(splice ? { splice } : {}),
    ...sizesOf(before.rows, after.rows, splice),
  };
}

type Splice = NonNullable<SessionChange['splice']>;

/** The one replaced range of rows, between rows at both ends that differ in their tokens at most. */
function spliceOf(before: readonly Row[], after: readonly Row[]): Splice | null {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && isSameButTokens(before[at], after[at])) at += 1;
  let same = 0;
  while (same < shorter - at && isSameButTokens(before.at(-1 - same), after.at(-1 - same))) same += 1;
  const removed = before.length - at - same;
  const rows = after.slice(at, after.length - same);
  return removed === 0 && rows.length === 0 ? null : { at, removed, rows };
}

/** True for rows that differ in their tokens at most. Rows that were built once share what they show. */
function isSameButTokens(a: Row | undefined, b: Row | undefined): boolean {
  if (a === b) return true;
  if (!a || !b) return false;
  return (
    a.key === b.key &&
    a.kind === b.kind &&
    a.turn === b.turn &&
    a.preview === b.preview &&
    a.tool === b.tool &&
    a.images === b.images &&
    a.pinned === b.pinned &&
    a.time === b.time &&
    isSameBlock(a.block, b.block)
  );
}

function isSameBlock(a: Row['block'], b: Row['block']): boolean {
  if (a === b) return true;
  return a !== null && b !== null && a.compactionId === b.compactionId && a.displayLine === b.displayLine;
}

function sizesOf(before: readonly Row[], after: readonly Row[], splice: Splice | null): { sizes?: RowSizes } {
  const staying = (index: number) =>
    splice === null || index < splice.at ? index : index - splice.rows.length + splice.removed;
  const isSpliced = (index: number) => splice !== null && index >= splice.at && index < splice.at + splice.rows.length;
  const hasChanged = after.some((row, index) => !isSpliced(index) && before[staying(index)] !== row);
  if (!hasChanged) return {};
  const blocks = after.flatMap(({ block }) => (block ? [[block.compactionId, block.tokensBefore] as const] : []));
  return { sizes: { rows: after.map(({ tokens }) => tokens), blocks: Object.fromEntries(blocks) } };
}

/** Maximum number of rows per message, to avoid noticeable delays from copying and painting. */
const maxRowsPerChange = 8000;

/**
 * Splits a change into messages of limited size, newest rows first, with consecutive revisions. Splits only changes that
 * add rows or replace them one for one, so that no row appears twice in between.
 */
export function inPieces(change: SessionChange, before: readonly Row[]): readonly SessionChange[] {
  const { splice, earlierRowsFollow, sizes, ...fields } = change;
  if (!splice || splice.rows.length <= maxRowsPerChange || !canBeCut(splice, before)) return [change];
  const pieces = piecesOf(splice);
  return pieces.map((piece, index) => ({
    ...(index === 0 ? fields : {}),
    ...(earlierRowsFollow !== undefined && index === pieces.length - 1 ? { earlierRowsFollow } : {}),
    ...(sizes !== undefined && index === pieces.length - 1 ? { sizes } : {}),
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

/** The part of the session that one webview shows. Revisions are numbered per webview, without gaps. */
export class ShownSession {
  #view: SessionView | null = null;
  #revision = 0;

  get view(): SessionView | null {
    return this.#view;
  }

  /** Records that the webview receives this whole view. */
  show(view: SessionView | null): SessionView | null {
    this.#revision += 1;
    this.#view = view && { ...view, revision: this.#revision };
    return this.#view;
  }

  /** The changes to send, in order, so that the webview shows this view. None if it shows no session. */
  change(view: SessionView): readonly SessionChange[] {
    const before = this.#view;
    if (!before) return [];
    const whole = sessionChange(before, { ...view, revision: this.#revision + 1 });
    const pieces = inPieces(whole, before.rows);
    this.#revision += pieces.length;
    this.#view = { ...view, revision: this.#revision };
    return pieces;
  }
}

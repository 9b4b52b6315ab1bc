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
  return {
    revision: after.revision,
    ...Object.fromEntries(changed.map((key) => [key, after[key]])),
    ...(splice ? { splice } : {}),
  };
}

/** One replaced stretch, found by the rows that are the same objects at either end. */
function spliceOf(before: readonly Row[], after: readonly Row[]): SessionChange['splice'] | null {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  while (at < shorter && before[at] === after[at]) at += 1;
  let same = 0;
  while (same < shorter - at && before.at(-1 - same) === after.at(-1 - same)) same += 1;
  const removed = before.length - at - same;
  const rows = after.slice(at, after.length - same);
  return removed === 0 && rows.length === 0 ? null : { at, removed, rows };
}

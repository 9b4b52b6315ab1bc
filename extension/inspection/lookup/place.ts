import type { Entry } from '../../engine/conversation/entry';

/** File and line of an entry's record; a database has no lines. */
export function placeOf({ origin: { file, line } }: Pick<Entry, 'origin'>): string {
  return line === 0 ? file : `${file}:${line}`;
}

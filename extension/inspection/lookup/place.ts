import type { Entry } from '../../engine/conversation/entry';

/** Where an entry's record stands; a database has no lines. */
export function placeOf({ origin: { file, line } }: Pick<Entry, 'origin'>): string {
  return line === 0 ? file : `${file}:${line}`;
}

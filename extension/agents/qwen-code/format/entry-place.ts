import type { Entry } from '../../../engine/conversation/entry';

/** What all entries of one row share; the first of them also has the id. */
export type EntryPlace = Pick<Entry, 'id' | 'timestamp' | 'origin'>;

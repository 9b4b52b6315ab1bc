import { type JournalRecord, journalVersion, type SessionIdentity } from './journal';
import type { JournalState } from './journal-state';

/** Where the records of one conversation are kept: in memory, in a file, wherever somebody else keeps them. */
export interface Journal {
  readonly session: SessionIdentity;
  /** The fold of all records that were there when it was last read or written. */
  readonly state: JournalState;
  /** Takes in what others appended since; says whether there was anything. */
  refresh(): Promise<boolean>;
  /**
   * Appends what `draft` makes of the newest state, all of it or nothing. Nobody else writes while `draft` is called, and
   * it may throw to leave the journal as it is.
   */
  append(draft: (state: JournalState) => readonly JournalRecord[]): Promise<void>;
}

/** A journal to write to, and what its records take from the world. */
export interface JournalAccess {
  readonly journal: Journal;
  /** ISO 8601. */
  readonly now: () => string;
  /** Unique wherever it is made. */
  readonly newId: () => string;
}

/** The first record of a new journal. */
export function headerRecord(session: SessionIdentity, time: string): JournalRecord {
  return { kind: 'header', seq: 0, time, version: journalVersion, session };
}

/** A new journal gets its header together with its first record. */
export async function appendRecords(
  { journal, now }: JournalAccess,
  draft: (lastSeq: number, state: JournalState) => readonly JournalRecord[],
): Promise<void> {
  await journal.append((state) => {
    if (state.lastSeq >= 0) return draft(state.lastSeq, state);
    const first = draft(0, state);
    return first.length === 0 ? [] : [headerRecord(journal.session, now()), ...first];
  });
}

/** What the next record goes behind, also where the header is still to be written. */
export function stateWithHeader({ state }: Pick<Journal, 'state'>): JournalState {
  return state.lastSeq >= 0 ? state : { ...state, lastSeq: 0 };
}

import type { JournalState } from './journal-state';
import { type JournalRecord, journalVersion, type SessionIdentity } from './records';

/** The journal of one conversation, wherever its records are stored. */
export interface Journal {
  readonly session: SessionIdentity;
  /** The fold of all records as of the last read or write. */
  readonly state: JournalState;
  /** Reads records that others appended. Resolves to whether there were any. */
  refresh(): Promise<boolean>;
  /**
   * Appends the records that `draft` returns for the newest state, all or none. No other process writes during `draft`. It
   * may throw to leave the journal unchanged.
   */
  append(draft: (state: JournalState) => readonly JournalRecord[]): Promise<void>;
}

/** A journal to write to, with its clock and source of ids. */
export interface JournalAccess {
  readonly journal: Journal;
  /** ISO 8601. */
  readonly now: () => string;
  /** Globally unique. */
  readonly newId: () => string;
}

/** The first record of a new journal, or the next record of one with a damaged header. */
export function headerRecord(session: SessionIdentity, time: string, seq = 0): JournalRecord {
  return { kind: 'header', seq, time, version: journalVersion, session };
}

/** Returns the records to append, given the journal's state at that time. */
export type RecordDraft = (lastSeq: number, state: JournalState) => readonly JournalRecord[];

/** Appends to one journal, with its clock and source of ids. */
export interface JournalWriter extends Omit<JournalAccess, 'journal'> {
  readonly append: (draft: RecordDraft) => Promise<void>;
}

/** A journal without a version is new or has a damaged header; it gets a header with the next record. */
export async function appendRecords({ journal, now }: JournalAccess, draft: RecordDraft): Promise<void> {
  await journal.append((state) => {
    if (state.version > 0) return draft(state.lastSeq, state);
    const header = headerRecord(journal.session, now(), state.lastSeq + 1);
    const first = draft(header.seq, state);
    return first.length === 0 ? [] : [header, ...first];
  });
}

/** The state with the sequence number of the header, even if the header is not written yet. */
export function stateWithHeader({ state }: Pick<Journal, 'state'>): JournalState {
  return state.version > 0 ? state : { ...state, lastSeq: state.lastSeq + 1 };
}

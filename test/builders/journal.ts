import { atOnce } from '../../extension/engine/conversation/long-work';
import { encodedRecords, type ReadJournal, readingJournal } from '../../extension/engine/journal/journal';
import { type JournalRecord, journalVersion, type SessionIdentity } from '../../extension/engine/journal/records';

/** The line of a record in a journal of this version, without the line break. */
export function encodeRecord(record: JournalRecord, version = journalVersion): string {
  return [...encodedRecords([record], { version })].join('');
}

export function readJournal(lines: readonly string[], session: SessionIdentity): ReadJournal {
  return atOnce(readingJournal(lines, session));
}

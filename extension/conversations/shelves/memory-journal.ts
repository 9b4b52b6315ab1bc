import type { Journal } from '../../engine/journal/journal-access';
import { emptyJournalState, foldJournal, type JournalState } from '../../engine/journal/journal-state';
import type { JournalRecord, SessionIdentity } from '../../engine/journal/records';

/** A journal in memory. `begun`: its first records. */
export function memoryJournal(session: SessionIdentity, begun: JournalState = emptyJournalState): Journal {
  let state = begun;
  return {
    session,
    get state() {
      return state;
    },
    refresh: async () => false,
    async append(draft) {
      const records: readonly JournalRecord[] = draft(state);
      if (records.length > 0) state = foldJournal(records, state);
    },
  };
}

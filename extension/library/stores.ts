import type { Conversation } from '../engine/conversation/conversation';
import type { JournalRecord, SessionIdentity } from '../engine/journal/journal';
import type { Journal } from '../engine/journal/journal-access';
import { emptyJournalState, foldJournal } from '../engine/journal/journal-state';
import { memoryRecorded } from './conversations/recorded';
import type { NewEntry } from './message';

/** Where the messages of one conversation are kept. They are only ever added to. */
export interface ConversationStore {
  /** Another value after each change, which shares all old entries with the one before. */
  readonly conversation: Conversation;
  /** Takes in what others appended since; says whether there was anything. */
  refresh(): Promise<boolean>;
  /** All of them or none. */
  append(entries: readonly NewEntry[]): Promise<void>;
}

/** A journal that lasts as long as the program. */
export function memoryJournal(session: SessionIdentity): Journal {
  let state = emptyJournalState;
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

/** Messages that last as long as the program. */
export function memoryConversation(): ConversationStore {
  return memoryRecorded();
}

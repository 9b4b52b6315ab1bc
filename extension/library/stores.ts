import type { Journal } from '../engine/acts/journal-access';
import type { JournalRecord, SessionIdentity } from '../engine/compaction/journal';
import { emptyJournalState, foldJournal } from '../engine/compaction/journal-state';
import type { Conversation } from '../engine/conversation/conversation';
import type { Entry } from '../engine/conversation/entry';
import { PairedContext } from '../sessions/records/paired-context';
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

/** Sent where work went on after a call that never got a result: providers refuse a call without one. */
const missingResult = 'No result: the tool was interrupted before it answered.';

/** Messages that last as long as the program. */
export function memoryConversation(): ConversationStore {
  const entries: Entry[] = [];
  const context = new PairedContext(missingResult);
  let conversation: Conversation | null = null;
  return {
    get conversation() {
      conversation ??= { entries: [...entries], agentContext: context.end(), agentCompactions: [] };
      return conversation;
    },
    refresh: async () => false,
    async append(added) {
      conversation = null;
      for (const entry of added) {
        const placed = { ...entry, origin: { file: '', line: 0 } };
        entries.push(placed);
        addTo(context, placed);
      }
    },
  };
}

function addTo(context: PairedContext, entry: Entry): void {
  if (entry.role === 'assistant') context.reply(entry);
  else if (entry.role === 'tool') context.result(entry);
  else context.text(entry);
}

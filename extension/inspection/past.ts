import { type Branch, branchOf } from '../engine/conversation/branch';
import type { Conversation } from '../engine/conversation/conversation';
import { conversationAt } from '../engine/history/conversation-at';
import { type Moment, momentsOf } from '../engine/history/moments';
import { foldJournal } from '../engine/journal/journal-state';
import { OperationRefused } from '../engine/journal/operation-refused';
import type { SessionJournal } from './journal-file';

/** All moments of one state of a session. */
export interface Moments {
  readonly branch: Branch;
  /** Oldest first; the last one is now. */
  readonly list: readonly Moment[];
  /** Journals by number of records. Moments between two changes share one. */
  readonly journals: Map<number, SessionJournal>;
}

/** A session's conversation and its journal, as they are or as they were at a moment. */
export interface SessionState {
  readonly conversation: Conversation;
  readonly journal: SessionJournal;
}

export function momentsIn({ conversation, journal }: SessionState): Moments {
  const branch = branchOf(conversation);
  return { branch, list: momentsOf(conversation, branch, journal.records), journals: new Map() };
}

export function stateAt(
  { conversation, journal }: SessionState,
  { branch, journals }: Moments,
  { step, records }: Moment,
): SessionState {
  const then = journals.get(records) ?? pastJournal(journal, records);
  journals.set(records, then);
  return { conversation: conversationAt(conversation, branch, step), journal: then };
}

/** The first records of a journal. Read-only. */
function pastJournal({ path, session, issues, records }: SessionJournal, count: number): SessionJournal {
  const first = records.slice(0, count);
  return {
    ...{ path, session, issues },
    records: first,
    state: foldJournal(first),
    refresh: async () => false,
    append: async () => {
      throw new OperationRefused('The past cannot be changed. Go back to now, or fork from this moment.');
    },
  };
}

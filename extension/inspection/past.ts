import { type Branch, branchOf } from '../engine/conversation/branch';
import type { Conversation } from '../engine/conversation/conversation';
import { conversationAt } from '../engine/history/conversation-at';
import { type Moment, momentsOf } from '../engine/history/moments';
import { foldJournal, type JournalState } from '../engine/journal/journal-state';
import { OperationRefused } from '../engine/journal/operation-refused';
import type { JournalRecord } from '../engine/journal/records';
import type { SessionJournal } from './journal-file';

/** All moments of one state of a session. */
export interface Moments {
  readonly branch: Branch;
  /** Oldest first; the last one is now. */
  readonly list: readonly Moment[];
  /** Journals by number of records. Moments between two changes share one. */
  readonly journals: Map<number, SessionJournal>;
}

/** A session and its journal as they were at a moment. */
export interface PastState {
  readonly conversation: Conversation;
  readonly journal: SessionJournal;
}

interface Present {
  readonly conversation: Conversation;
  readonly journal: SessionJournal;
}

export function momentsIn({ conversation, journal }: Present): Moments {
  const branch = branchOf(conversation);
  return { branch, list: momentsOf(conversation, branch, journal.records), journals: new Map() };
}

export function stateAt(
  { conversation, journal }: Present,
  { branch, journals }: Moments,
  { step, records }: Moment,
): PastState {
  const then = journals.get(records) ?? new PastJournal(journal, journal.records.slice(0, records));
  journals.set(records, then);
  return { conversation: conversationAt(conversation, branch, step), journal: then };
}

/** The first records of a journal. Read-only. */
class PastJournal implements SessionJournal {
  readonly state: JournalState;

  constructor(
    private readonly present: SessionJournal,
    readonly records: readonly JournalRecord[],
  ) {
    this.state = foldJournal(records);
  }

  get path(): string {
    return this.present.path;
  }

  get session() {
    return this.present.session;
  }

  get issues() {
    return this.present.issues;
  }

  async refresh(): Promise<boolean> {
    return false;
  }

  async append(): Promise<void> {
    throw new OperationRefused('The past cannot be changed. Go back to now, or fork from this moment.');
  }
}

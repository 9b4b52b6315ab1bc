import type { Conversation } from '../../extension/engine/conversation/conversation';
import { foldJournal, type JournalState } from '../../extension/engine/journal/journal-state';
import type { JournalRecord } from '../../extension/engine/journal/records';
import { Inspection } from '../../extension/inspection/inspection';
import type { SessionJournal } from '../../extension/inspection/journal-file';
import type { Session } from '../../extension/sessions/session';

/** A journal in memory that behaves like a file. */
class JournalInMemory implements SessionJournal {
  readonly path = 'journal.jsonl';
  readonly session = { agent: 'pi', id: 's1', file: 'session.jsonl' };
  readonly issues = [];
  state: JournalState;

  constructor(public records: readonly JournalRecord[]) {
    this.state = foldJournal(records);
  }

  async refresh(): Promise<boolean> {
    return false;
  }

  async append(draft: (state: JournalState) => readonly JournalRecord[]): Promise<void> {
    const added = draft(this.state);
    this.records = [...this.records, ...added];
    this.state = foldJournal(added, this.state);
  }
}

/** A conversation as the panel and the command line see it. */
export function inspectTalk(conversation: Conversation, records: readonly JournalRecord[] = []): Promise<Inspection> {
  const session: Session = {
    ...{ agent: 'pi', id: 's1', file: 'session.jsonl', cwd: null, title: null, model: null },
    ...{ live: false, awaitsReply: false, subagents: [], issues: [], otherRecords: {}, conversation },
  };
  return Inspection.of(session, new JournalInMemory(records));
}

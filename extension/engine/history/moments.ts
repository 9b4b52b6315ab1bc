import type { Branch } from '../conversation/branch';
import type { Conversation } from '../conversation/conversation';
import type { JournalRecord } from '../journal/records';
import { requestSteps } from './conversation-at';
import { stepOf } from './places';

/** A moment of a session: after one entry of its branch and a number of journal records. */
export interface Moment {
  /** Index in the branch. */
  readonly step: number;
  /** Number of journal records up to the moment. */
  readonly records: number;
  /** The last event: a message, or a change in the journal. */
  readonly after: 'message' | 'record';
}

/**
 * Every moment at which the context was complete, oldest first: after each message at which a request was or could have
 * been sent, and after each change in the journal. The last one is now. Linear in entries and records.
 */
export function momentsOf(conversation: Conversation, branch: Branch, records: readonly JournalRecord[]): Moment[] {
  const changes = changesIn(records, conversation, branch);
  const moments: Moment[] = [];
  let made = 0;
  let next = 0;
  for (const step of requestSteps(branch, conversation)) {
    for (; (changes[next]?.step ?? Infinity) < step; next += 1) made = changes[next]?.records ?? made;
    moments.push({ step, records: made, after: 'message' });
    for (; changes[next]?.step === step; next += 1) {
      made = changes[next]?.records ?? made;
      moments.push({ step, records: made, after: 'record' });
    }
  }
  return moments;
}

interface Change {
  readonly step: number;
  /** Number of records up to and including the last record of the change. */
  readonly records: number;
}

/** Records that change nothing in the context. */
const unseen: ReadonlySet<JournalRecord['kind']> = new Set(['header', 'version', 'prepared']);

/** Records of one run or one action are one change. Steps never decrease. */
function changesIn(records: readonly JournalRecord[], conversation: Conversation, branch: Branch): Change[] {
  const numberOf = new Map(conversation.entries.map(({ id }, at) => [id, at]));
  const changes: Change[] = [];
  let latest = 0;
  for (const [index, record] of records.entries()) {
    if (unseen.has(record.kind)) continue;
    if (isOfOneAct(records[index - 1], record)) changes.pop();
    else latest = Math.max(latest, stepOf(record, branch, numberOf));
    changes.push({ step: latest, records: index + 1 });
  }
  return changes;
}

function isOfOneAct(before: JournalRecord | undefined, record: JournalRecord): boolean {
  if (before?.kind === 'compaction' && record.kind === 'compaction') return before.run === record.run;
  return before?.kind === record.kind && before.time === record.time;
}

import { stat } from 'node:fs/promises';
import { branchOf } from '../engine/conversation/branch';
import type { ContextMessage } from '../engine/conversation/context';
import type { Entry } from '../engine/conversation/entry';
import { projectAlone } from '../engine/conversation/projection';
import { TokenLedger } from '../engine/conversation/tokens';
import { openSession } from '../sessions/open';
import type { Session } from '../sessions/session';
import { type Inspection, OperationRefused } from './inspection';
import { predecessorOf } from './relatives';

/** Work that continued from file to file may have many, and a chain of links may be a circle. */
const mostSessions = 50;
/** Maximum total size of their files, in bytes. The first one is read in any case. */
const maxBytes = 24 * 1024 * 1024;

interface EarlierMessages {
  readonly messages: readonly ContextMessage[];
  /** The entries of the messages, with their places in the files. */
  readonly entries: readonly Entry[];
  /** The previous file that cannot be read or is too large; null if nothing is missing. */
  readonly unread: string | null;
}

const ofInspection = new WeakMap<Inspection, Promise<EarlierMessages>>();

/**
 * The messages of the sessions that this one continues, oldest first, without compactions and without those in its own file. They are part
 * of the same work but not of this context. Read once. Refused if the session before this one cannot be read.
 */
export function earlierMessages(inspection: Inspection): Promise<EarlierMessages> {
  const read = ofInspection.get(inspection) ?? readEarlier(inspection.session);
  ofInspection.set(inspection, read);
  read.catch(() => ofInspection.delete(inspection));
  return read;
}

async function readEarlier(session: Session): Promise<EarlierMessages> {
  const { entries, unread } = await earlierEntries(session);
  const { countWithO200k } = await import('../engine/conversation/tokenizer');
  const conversation = { entries, agentContext: entries, agentCompactions: [] };
  // The session's own ledger remembers where its messages are.
  const { messages } = projectAlone(conversation, new TokenLedger(countWithO200k));
  return { entries, messages, unread };
}

async function earlierEntries(session: Session): Promise<Pick<EarlierMessages, 'entries' | 'unread'>> {
  const known = new Set(session.conversation.entries.map(({ id }) => id));
  const files = new Set([session.file]);
  const found: Entry[][] = [];
  let bytes = 0;
  let unread: string | null = null;
  for (let later = session; ; ) {
    const file = await predecessorOf(later);
    if (file === null || files.has(file)) break;
    files.add(file);
    bytes += (await stat(file)).size;
    const isTooMuch = found.length >= mostSessions || (found.length > 0 && bytes > maxBytes);
    const outcome = isTooMuch ? null : await openSession(file);
    if (outcome?.kind !== 'opened') {
      if (outcome && found.length === 0) throw new OperationRefused(outcome.message);
      unread = file;
      break;
    }
    const before = entriesBefore(later, outcome.session).filter(({ id }) => !known.has(id));
    for (const { id } of before) known.add(id);
    found.unshift(before);
    later = outcome.session;
  }
  return { entries: found.flat(), unread };
}

/**
 * Up to the record that the later session names, else up to its first message, because the earlier session may have been continued as well.
 */
function entriesBefore({ predecessor, conversation }: Session, before: Session): Entry[] {
  const entries = branchOf(before.conversation).entries.flatMap(({ entry }) =>
    entry.role === 'system' ? [] : [entry],
  );
  const { mark } = predecessor ?? {};
  const at = mark === undefined ? -1 : entries.findLastIndex(({ id }) => mark.includes(`"${id}"`));
  if (at >= 0) return entries.slice(0, at + 1);
  const begins = conversation.entries.find(({ role, timestamp }) => role !== 'system' && timestamp !== null)?.timestamp;
  if (!begins) return entries;
  return entries.filter(({ timestamp }) => timestamp === null || timestamp <= begins);
}

import { branchOf } from '../engine/conversation/branch';
import type { ContextMessage } from '../engine/conversation/context';
import type { Entry } from '../engine/conversation/entry';
import { emptyOverlay, project } from '../engine/conversation/projection';
import { openSession } from '../sessions/open';
import type { Session } from '../sessions/session';
import type { Inspection } from './inspection';
import { predecessorOf } from './relatives';

/** A work that was carried on from file to file may have many; a chain of links may also be a circle. */
const mostSessions = 50;

export interface EarlierMessages {
  readonly messages: readonly ContextMessage[];
  /** Of the messages, with the places in their files. */
  readonly entries: readonly Entry[];
}

/**
 * What was said in the sessions that this one goes on from and is not in its own file, oldest first, without compactions:
 * messages of the same work that are not in this context. Empty if none of them can be read.
 */
export async function earlierMessages({ session, ledger }: Inspection): Promise<EarlierMessages> {
  const entries = await earlierEntries(session);
  const conversation = { entries, agentContext: entries, agentCompactions: [] };
  return { entries, messages: project(conversation, emptyOverlay, ledger).messages };
}

async function earlierEntries(session: Session): Promise<Entry[]> {
  const known = new Set(session.conversation.entries.map(({ id }) => id));
  const files = new Set([session.file]);
  const found: Entry[][] = [];
  for (let later = session; found.length < mostSessions; ) {
    const file = await predecessorOf(later);
    if (file === null || files.has(file)) break;
    files.add(file);
    const outcome = await openSession(file);
    if (outcome.kind !== 'opened') break;
    const before = entriesBefore(later, outcome.session).filter(({ id }) => !known.has(id));
    for (const { id } of before) known.add(id);
    found.unshift(before);
    later = outcome.session;
  }
  return found.flat();
}

/** Up to the record that the later session names, else up to its first message: the earlier one may have gone on as well. */
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

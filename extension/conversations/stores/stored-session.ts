import { localizable } from '../../engine/wording/localizable-text';
import type { CurrentSession } from '../../inspection/inspection';
import type { SessionJournal } from '../../inspection/journal-file';
import { isLive } from '../../sessions/live';
import type { Session } from '../../sessions/session';
import { keyedBeginning } from '../requests/identity';
import { ConversationGone } from '../shelves/shelf';
import type { RecordStore } from './record-store';
import { SharedConversation } from './shared-conversation';

/** A conversation in a store, to inspect it and to write to its journal. */
export interface StoredSession {
  readonly current: CurrentSession;
  readonly journal: SessionJournal;
}

export interface StoredSessionName {
  /** The key that its agent gave it, or its id. */
  readonly name: string;
  /** Tenant. Absent: those that have none. */
  readonly scope?: string | undefined;
  /** The store, in words, for messages. */
  readonly place: string;
}

/** Throws `ConversationGone` if the scope has no conversation with this key or id. */
export async function storedSession(
  store: RecordStore,
  { name, scope, place }: StoredSessionName,
): Promise<StoredSession> {
  const address = `${place}#${scope === undefined ? '' : `${scope}/`}${name}`;
  for (const id of [keyedBeginning(name, scope, '').id, name]) {
    const shared = new SharedConversation(store, { id, begins: '', created: '', ...(scope && { scope }) }, address);
    await shared.refresh();
    if (!shared.isEmpty) return sessionIn(shared, address);
  }
  throw new ConversationGone(localizable('There is no conversation {0}.', address));
}

function sessionIn(shared: SharedConversation, address: string): StoredSession {
  const { journal } = shared;
  let session = sessionOf(shared);
  return {
    current: {
      get session() {
        return session;
      },
      refresh: async () => {
        const before = session.conversation;
        await shared.refresh();
        session = sessionOf(shared);
        return session.conversation !== before;
      },
    },
    journal: {
      path: address,
      session: journal.session,
      records: shared.journalRecords,
      issues: [],
      get state() {
        return journal.state;
      },
      refresh: () => journal.refresh(),
      append: (draft) => journal.append(draft),
    },
  };
}

/** A store knows no lock of an agent, only when its newest message came. */
function sessionOf({ parsed }: SharedConversation): Session {
  const modified = Date.parse(parsed.conversation.entries.at(-1)?.timestamp ?? '');
  const live = isLive({ inUse: false, modified, awaitsReply: parsed.awaitsReply }, Date.now());
  return { ...parsed, live, subagents: parsed.subagents ?? [] };
}

import { localizable, wordingOf } from '../../engine/wording/localizable-text';
import type { CurrentSession, Unread } from '../../inspection/inspection';
import type { SessionJournal } from '../../inspection/journal-file';
import { isLive } from '../../sessions/live';
import type { Session } from '../../sessions/session';
import { keyedBeginning } from '../requests/identity';
import { ConversationGone } from '../shelves/shelf';
import type { RecordStore } from './record-store';
import { SharedConversation } from './shared-conversation';
import { type StoredName, storedAddress } from './stored-address';

/** A conversation in a store, for inspecting it and writing to its journal. */
export interface StoredSession {
  readonly current: CurrentSession & {
    /** True if messages or records of the journal were added, or it is no longer live. */
    refresh(): Promise<boolean>;
  };
  readonly journal: SessionJournal;
}

/** Throws `ConversationGone` if the scope has no conversation with this key or id. */
export async function storedSession(store: RecordStore, named: StoredName): Promise<StoredSession> {
  const { name, scope } = named;
  const address = storedAddress(named);
  const inScope = { begins: '', created: '', ...(scope && { scope }) };
  for (const begun of [{ id: keyedBeginning(name, scope, '').id, key: name }, { id: name }]) {
    const shared = new SharedConversation(store, { ...inScope, ...begun }, address);
    await shared.refresh();
    if (!shared.isEmpty) return sessionIn(shared, named);
  }
  throw new ConversationGone(localizable('There is no conversation {0}.', address));
}

function sessionIn(shared: SharedConversation, named: StoredName): StoredSession {
  const { journal } = shared;
  let known = { length: shared.length, session: sessionOf(shared, named) };
  /** The same object as long as nothing has changed, so that derived values are not computed again. */
  const update = () => {
    const isSame = known.length === shared.length && isStillLive(known.session) === known.session.live;
    if (!isSame) known = { length: shared.length, session: sessionOf(shared, named) };
    return !isSame;
  };
  return {
    current: {
      get session() {
        return known.session;
      },
      refresh: async () => {
        await shared.refresh();
        return update();
      },
    },
    journal: {
      path: storedAddress(named),
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

/** A store does not know the locks of agents, only the time of the newest message. */
function sessionOf({ parsed }: SharedConversation, { place, scope, name }: StoredName): Session {
  const store = { place, tenant: scope ?? null, name };
  const session = { ...parsed, store, live: false, subagents: parsed.subagents ?? [] };
  return { ...session, live: isStillLive(session) };
}

function isStillLive({ conversation, awaitsReply }: Session): boolean {
  const modified = Date.parse(conversation.entries.at(-1)?.timestamp ?? '');
  return isLive({ inUse: false, isLeft: false, modified, awaitsReply }, Date.now());
}

/** In milliseconds. */
interface StoreTiming {
  /** Interval between two reads. Changes by other processes are shown after the next read. */
  readonly poll: number;
  /** Maximum interval between two attempts while the store cannot be reached. */
  readonly longestPause: number;
}

const usualTiming: StoreTiming = { poll: 2_000, longestPause: 30_000 };

/** Whether a view shows the conversation. Nothing is read while no view does. */
export interface Watched {
  readonly isVisible: boolean;
  /** Calls the listener with each change. Returns a function that unsubscribes it. */
  subscribe(listener: () => void): () => void;
}

export interface StoreFollowing {
  /** Stops following. Nothing is reported after it. */
  readonly signal: AbortSignal;
  readonly watched: Watched;
  /** Messages or journal records were added. */
  readonly onChange: (session: Session) => void;
  /** The store cannot be read; null: it can be read again. What was read before stays. */
  readonly onTrouble: (unread: Unread | null) => void;
  readonly timing?: StoreTiming;
}

export interface FollowedStored {
  readonly session: Session;
  readonly journal: SessionJournal;
  /** Reads what was added at once. Never rejects: `onTrouble` gets the reason. */
  look(): Promise<void>;
}

/**
 * Opens a conversation and reports it again whenever others have written to it: one read of what is new each time. Rejects if it
 * cannot be opened; after that it is followed until the signal ends it or it is deleted, whatever the store does.
 */
export async function followStored(
  store: RecordStore,
  named: StoredName,
  following: StoreFollowing,
): Promise<FollowedStored> {
  const stored = await storedSession(store, named);
  const follower = new Follower(stored, following);
  follower.begin();
  const { current, journal } = stored;
  return {
    session: current.session,
    look: () => follower.look(),
    journal: {
      ...journal,
      get state() {
        return journal.state;
      },
      append: async (draft) => {
        await journal.append(draft);
        // The append may have found other messages before its own.
        await follower.look();
      },
    },
  };
}

class Follower {
  readonly #timing: StoreTiming;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isGone = false;
  #looking: Promise<void> | null = null;

  constructor(
    private readonly stored: StoredSession,
    private readonly following: StoreFollowing,
  ) {
    this.#timing = following.timing ?? usualTiming;
  }

  begin(): void {
    const { signal, watched } = this.following;
    const unsubscribe = watched.subscribe(() => (watched.isVisible ? void this.look() : clearTimeout(this.#timer)));
    const end = () => {
      clearTimeout(this.#timer);
      unsubscribe();
    };
    if (signal.aborted) end();
    else {
      signal.addEventListener('abort', end, { once: true });
      this.#lookLater();
    }
  }

  look(): Promise<void> {
    clearTimeout(this.#timer);
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
      this.#lookLater();
    });
    return this.#looking;
  }

  async #look(): Promise<void> {
    const { signal, onChange, onTrouble } = this.following;
    try {
      const hasChanged = await this.stored.current.refresh();
      if (signal.aborted) return;
      if (this.#failures > 0) onTrouble(null);
      this.#failures = 0;
      if (hasChanged) onChange(this.stored.current.session);
    } catch (error) {
      if (signal.aborted) return;
      this.#failures += 1;
      this.#isGone = error instanceof ConversationGone;
      onTrouble({ reason: wordingOf(error), isForGood: this.#isGone });
    }
  }

  #lookLater(): void {
    const { signal, watched } = this.following;
    clearTimeout(this.#timer);
    if (signal.aborted || !watched.isVisible || this.#isGone) return;
    const { poll, longestPause } = this.#timing;
    const pause = Math.min(poll * 2 ** this.#failures, longestPause);
    this.#timer = setTimeout(() => void this.look(), pause);
  }
}

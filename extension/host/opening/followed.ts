import type { Watched } from '../../conversations/stores/stored-session';
import { LocalizableError } from '../../engine/wording/localizable-text';
import type { Unread } from '../../inspection/inspection';
import type { SessionJournal } from '../../inspection/journal-file';
import { openJournal } from '../../inspection/journal-store';
import { followSession } from '../../sessions/follow';
import type { Session } from '../../sessions/session';
import type { KnownStores } from '../stores/known-stores';

/** A session could not be opened. The message names the file and the reason. */
export class SessionNotOpened extends LocalizableError {
  override name = 'SessionNotOpened';
}

/** Where sessions are, and their journals. */
export interface SessionPlaces {
  readonly journalFolder: string;
  readonly stores: Pick<KnownStores, 'named' | 'at'>;
  /** Whether a panel is on screen. */
  readonly watched: Watched;
}

interface Following {
  /** Ends the following. */
  readonly signal: AbortSignal;
  readonly onChange: (session: Session) => void;
  /** The previous content stays on screen; null: it can be read again. */
  readonly onTrouble: (unread: Unread | null) => void;
  readonly onFailure: (error: unknown) => void;
}

/** A session as it was when it was opened. */
interface Followed {
  readonly session: Session;
  readonly journal: SessionJournal;
  /** Reads additions at once if the source does not report them. */
  readonly look: () => Promise<void>;
}

/** Opens a session by its address, in a file or in a store, and follows it. */
export async function follow(address: string, places: SessionPlaces, following: Following): Promise<Followed> {
  const { stores, watched, journalFolder } = places;
  const stored = stores.named(address);
  if (stored) {
    const { followStored } = await import('../../conversations/stores/stored-session');
    return await followStored(stores.at(stored.place), stored, { ...following, watched });
  }
  const outcome = await followSession(address, following.onChange, following);
  if (outcome.kind !== 'opened') throw new SessionNotOpened(outcome.message);
  const { session } = outcome;
  const { agent, id, file } = session;
  return { session, journal: await openJournal(journalFolder, { agent, id, file }), look: async () => undefined };
}

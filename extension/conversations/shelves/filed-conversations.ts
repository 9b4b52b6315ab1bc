import { localizable, wordingOf } from '../../engine/wording/localizable-text';
import type { JournalFile } from '../../inspection/journal-file';
import { openJournal } from '../../inspection/journal-store';
import type { Session } from '../../sessions/session';
import { Beginnings } from '../../sessions/strata/beginnings';
import { ConversationFile } from '../../sessions/strata/conversation-file';
import { conversationPath } from '../../sessions/strata/places';
import type { Beginning, ConversationRecord, HeaderRecord } from '../../sessions/strata/records';
import { recorded, stateOf } from './recorded';
import type { ShelvedConversation } from './shelf';

/** The folders of conversations, and the folder of their journals. */
export interface ConversationFolders {
  readonly conversations: string;
  readonly journals: string;
}

/** A conversation in a file, which the inspector and the command line open like any session, with its journal. */
export interface FiledConversation extends ShelvedConversation {
  /** The session as last read. */
  readonly session: Session;
  readonly journal: JournalFile;
}

export type NewHeader = Omit<HeaderRecord, 'type' | 'version'>;

export async function filed(file: ConversationFile, journals: string): Promise<FiledConversation> {
  let session = await file.session();
  const read = async () => {
    session = await file.session();
    return stateOf(session);
  };
  const write = async (records: readonly ConversationRecord[]) => {
    const appended = await file.append(records);
    if (appended === null) return undefined;
    session = appended;
    return stateOf(session);
  };
  const { agent, id } = session;
  return {
    conversation: recorded({ write, read }, stateOf(session)),
    journal: await openJournal(journals, { agent, id, file: file.path }),
    get session() {
      return session;
    },
  };
}

/** Conversations on disk. Several processes may share the folders. */
export class FiledConversations {
  readonly #beginnings: Beginnings;

  constructor(
    readonly folders: ConversationFolders,
    /** Called for what could not be read. */
    private readonly warn: (message: string) => void,
    /** Messages reach the disk a moment after they were written. See `ConversationFile`. */
    private readonly isSyncedLater = false,
  ) {
    this.#beginnings = new Beginnings(folders.conversations, warn);
  }

  /** Conversations that begin with this entry, including ones that another process has just created. */
  beginnings(begins: string): Promise<Beginning[]> {
    return this.#beginnings.of(begins);
  }

  /** All conversations that are recognized by their beginnings or keys. */
  list(): Promise<Beginning[]> {
    return this.#beginnings.all();
  }

  async create(header: NewHeader): Promise<FiledConversation> {
    return await this.#filed(await ConversationFile.create(this.#path(header.id), header));
  }

  /** Throws `SessionGone` if no conversation has this id, and `ConversationNotRead` if it cannot be read. */
  async open(id: string): Promise<FiledConversation> {
    return await this.#filed(await ConversationFile.open(this.#path(id)));
  }

  /** Opens the conversation with the id of this header; creates it if there is none. */
  async openOrCreate(header: NewHeader): Promise<FiledConversation> {
    return await this.#filed(await ConversationFile.openOrCreate(this.#path(header.id), header));
  }

  #filed(file: ConversationFile): Promise<FiledConversation> {
    if (this.isSyncedLater) file.syncLater((error) => this.warn(notSynced(file.path, error)));
    return filed(file, this.folders.journals);
  }

  /** Guards against ids from a chat's stored metadata that are paths. */
  #path(id: string): string {
    return conversationPath(this.folders.conversations, id);
  }
}

function notSynced(path: string, error: unknown): string {
  return String(localizable('{0} could not be written to the disk: {1}', path, wordingOf(error)));
}

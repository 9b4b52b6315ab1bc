import { join } from 'node:path';
import type { SessionIdentity } from '../../engine/journal/records';
import { localizable } from '../../engine/wording/localizable-text';
import type { JournalFile } from '../../inspection/journal-file';
import { openJournal } from '../../inspection/journal-store';
import { ConversationFile, ConversationNotRead } from '../../sessions/strata/conversation-file';
import { conversationPath, conversationsFolder, journalsFolder } from '../../sessions/strata/places';
import { filed } from './filed-conversations';
import type { RecordedConversation } from './recorded';

export interface FileOptions {
  /** Conversations are in its folder `conversations`, journals in `journals`. */
  readonly folder: string;
  /** Id of the conversation. Using the same id continues it. */
  readonly id: string;
}

export interface FileStores {
  /** The session file, for the inspector. */
  readonly path: string;
  readonly conversation: RecordedConversation;
  readonly journal: JournalFile;
}

/**
 * A conversation and its journal on disk, for `createContext`. The inspector and the command line open the conversation
 * like any session; what they write to the journal holds after `refresh()`. Throws `ConversationNotRead`.
 */
export async function fileStores({ folder, id }: FileOptions): Promise<FileStores> {
  const path = conversationPath(join(folder, conversationsFolder), id);
  const time = new Date().toISOString();
  const file = await ConversationFile.openOrCreate(path, { id, time, cwd: process.cwd(), madeBy: 'library' });
  const { session, conversation, journal } = await filed(file, join(folder, journalsFolder));
  if (session.id !== id)
    throw new ConversationNotRead(localizable('{0} contains another conversation ({1}).', path, session.id));
  return { path, conversation, journal };
}

/** A journal in a folder, for an agent that keeps its messages itself and appends them with the same ids each time. */
export function fileJournal(folder: string, session: SessionIdentity): Promise<JournalFile> {
  return openJournal(folder, session);
}

import { join } from 'node:path';
import { openJournal } from '../inspection/journal-store';
import { Beginnings } from '../sessions/strata/beginnings';
import { ConversationFile } from '../sessions/strata/conversation-file';
import type { ConversationMaker } from '../sessions/strata/records';
import type { ConversationShelf, ShelvedConversation } from './conversations/shelf';
import { conversationPath, storeOf } from './file-stores';

export interface FolderOptions {
  /** Conversations go to `conversations` in it, journals to `journals`. */
  readonly folder: string;
  /** Of the work, for lists; absent: that of the process. */
  readonly cwd?: string | null;
  /** Whose conversations these are, as they say themselves; absent: a library's. */
  readonly madeBy?: ConversationMaker;
  /** What could not be read; absent: `console.warn`. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Conversations on disk, for `createConversations`. Each is a session that the inspector and the command line open; what they
 * compact, undo and pin there holds from the next request on. Several processes may share the folder.
 */
export function conversationFolder({
  folder,
  cwd = process.cwd(),
  madeBy = 'library',
  onWarning = (message) => console.warn(`strata: ${message}`),
}: FolderOptions): ConversationShelf {
  const beginnings = new Beginnings(join(folder, 'conversations'), onWarning);
  return {
    beginnings: (begins) => beginnings.of(begins),
    create: async ({ id, begins, created }) =>
      await shelved(
        await ConversationFile.create(conversationPath(folder, id), { id, begins, time: created, cwd, madeBy }),
        folder,
      ),
    open: async (id) => await shelved(await ConversationFile.open(conversationPath(folder, id)), folder),
  };
}

async function shelved(file: ConversationFile, folder: string): Promise<ShelvedConversation> {
  const session = await file.session();
  const { agent, id } = session;
  const journal = await openJournal(join(folder, 'journals'), { agent, id, file: file.path });
  return { conversation: storeOf(file, session), journal };
}

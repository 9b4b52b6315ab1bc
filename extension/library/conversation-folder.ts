import { join } from 'node:path';
import { Beginnings } from '../sessions/strata/beginnings';
import { ConversationFile } from '../sessions/strata/conversation-file';
import { conversationPath, conversationsFolder } from '../sessions/strata/places';
import type { ConversationMaker } from '../sessions/strata/records';
import type { ConversationShelf } from './conversations/shelf';
import { storesOf } from './file-stores';

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
  const conversations = join(folder, conversationsFolder);
  const beginnings = new Beginnings(conversations, onWarning);
  const shelved = async (file: ConversationFile) => await storesOf(file, await file.session(), folder);
  return {
    beginnings: (begins) => beginnings.of(begins),
    create: async ({ id, begins, created: time }) =>
      await shelved(
        await ConversationFile.create(conversationPath(conversations, id), { id, begins, time, cwd, madeBy }),
      ),
    open: async (id) => await shelved(await ConversationFile.open(conversationPath(conversations, id))),
  };
}

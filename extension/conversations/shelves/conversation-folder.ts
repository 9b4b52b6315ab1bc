import { join } from 'node:path';
import { conversationsFolder, journalsFolder } from '../../sessions/strata/places';
import type { ConversationMaker } from '../../sessions/strata/records';
import { FiledConversations } from './filed-conversations';
import type { ConversationShelf } from './shelf';

export interface FolderOptions {
  /** Conversations go to `conversations` in it, journals to `journals`. */
  readonly folder: string;
  /** Working folder, for lists. Default: that of the process. */
  readonly cwd?: string | null;
  /** The maker that is recorded in each conversation. Default: the library. */
  readonly madeBy?: ConversationMaker;
  /** Called for what could not be read. Default: `console.warn`. */
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
  const folders = { conversations: join(folder, conversationsFolder), journals: join(folder, journalsFolder) };
  const files = new FiledConversations(folders, onWarning);
  return {
    beginnings: (begins) => files.beginnings(begins),
    create: ({ created: time, ...beginning }) => files.create({ ...beginning, time, cwd, madeBy }),
    open: (id) => files.open(id),
  };
}

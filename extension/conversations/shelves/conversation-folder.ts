import { join } from 'node:path';
import { sha256Of } from '../../platform/files/sha256';
import { conversationsFolder, journalsFolder, safeName } from '../../sessions/strata/places';
import type { Beginning, ConversationMaker } from '../../sessions/strata/records';
import { FiledConversations, type NewHeader } from './filed-conversations';
import type { ConversationShelf } from './shelf';

export interface FolderOptions {
  /**
   * Conversations are in its folder `conversations`, journals in `journals`; those of a scope are in the same folders in `scopes/SCOPE`.
   */
  readonly folder: string;
  /** Working folder, for lists. Default: that of the process. */
  readonly cwd?: string | null;
  /** The maker that is recorded in each conversation. Default: the library. */
  readonly madeBy?: ConversationMaker;
  /**
   * A request waits until its messages are on disk, not only in the system's memory, so that a crash of the machine loses none. Default:
   * false.
   */
  readonly isDurable?: boolean;
  /** Called for what could not be read. Default: `console.warn`. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Conversations on disk, for `createConversations`. Each is a session that the inspector and the command line open; what they compact, undo
 * and pin takes effect with the next request. Several processes may share the folder. Messages are in the file before a request goes on,
 * and on the disk within a second; the journal is on the disk at once.
 */
export function conversationFolder({
  folder,
  cwd = process.cwd(),
  madeBy = 'library',
  isDurable = false,
  onWarning = (message) => console.warn(`strata: ${message}`),
}: FolderOptions): ConversationShelf {
  const ofScope = new Map<string | undefined, FiledConversations>();
  const files = (scope: string | undefined) => {
    const known =
      ofScope.get(scope) ?? new FiledConversations(foldersIn(scopeFolder(folder, scope)), onWarning, !isDurable);
    ofScope.set(scope, known);
    return known;
  };
  const header = ({ created: time, ...beginning }: Beginning): NewHeader => {
    const { key, scope, ...rest } = beginning;
    const names = { ...(key === undefined ? {} : { key }), ...(scope === undefined ? {} : { scope }) };
    return { ...rest, ...names, time, cwd, madeBy };
  };
  return {
    beginnings: (begins, scope) => files(scope).beginnings(begins),
    create: (beginning) => files(beginning.scope).create(header(beginning)),
    open: (id, scope) => files(scope).open(id),
    openOrCreate: (beginning) => files(beginning.scope).openOrCreate(header(beginning)),
    list: (scope) => files(scope).list(),
  };
}

function foldersIn(folder: string) {
  return { conversations: join(folder, conversationsFolder), journals: join(folder, journalsFolder) };
}

/** The folder of a scope. Its name ends in a hash, because two scopes may differ only in characters that a file name cannot contain. */
function scopeFolder(folder: string, scope: string | undefined): string {
  if (scope === undefined) return folder;
  const hash = sha256Of(scope).slice(0, 12);
  return join(folder, 'scopes', `${safeName(scope).slice(0, 40)}-${hash}`);
}

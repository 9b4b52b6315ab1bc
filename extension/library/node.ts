/**
 * Parts that need Node: conversations and journals in files, threads for what takes long, and a sentence encoder that works
 * without a network.
 *
 * @module strata-context/node
 */

export { conversationFolder, type FolderOptions } from '../conversations/shelves/conversation-folder';
export { type FileOptions, type FileStores, fileJournal, fileStores } from '../conversations/shelves/file-stores';
export { encryptedStore, WrongKey } from '../conversations/stores/encrypted-store';
export { folderStore } from '../conversations/stores/folder-store';
export { JournalReadOnly, JournalWriteFailed } from '../inspection/journal-file';
export { localEmbedder } from '../models/embeddings/local';
export { ConversationNotRead, ConversationNotWritten } from '../sessions/strata/conversation-file';
export { type CompactingThreadsChoice, compactingThreads, type DisposableThreads } from './compacting-threads';

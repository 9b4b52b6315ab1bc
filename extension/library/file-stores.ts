import { join } from 'node:path';
import type { SessionIdentity } from '../engine/compaction/journal';
import type { JournalFile } from '../inspection/journal-file';
import { openJournal } from '../inspection/journal-store';
import { systemErrorCode } from '../sessions/files/with-file';
import type { Session } from '../sessions/session';
import { ConversationFile, ConversationNotRead, ConversationNotWritten } from '../sessions/strata/conversation-file';
import { type RecordedConversation, recorded, stateOf } from './conversations/recorded';

export interface FileOptions {
  /** Conversations go to `conversations` in it, journals to `journals`. */
  readonly folder: string;
  /** Of the conversation. The same again goes on with it. */
  readonly id: string;
}

export interface FileStores {
  /** What the inspector opens. */
  readonly path: string;
  readonly conversation: RecordedConversation;
  readonly journal: JournalFile;
}

/**
 * A conversation and its journal on disk, for `createContext`. The inspector and the command line open the conversation
 * like any session; what they write to the journal holds after `refresh()`. Throws `ConversationNotRead`.
 */
export async function fileStores({ folder, id }: FileOptions): Promise<FileStores> {
  const path = conversationPath(folder, id);
  const file = await createdOrOpened(path, id);
  const session = await file.session();
  if (session.id !== id) throw new ConversationNotRead(`${path} holds another conversation (${session.id}).`);
  const journal = await openJournal(join(folder, 'journals'), { agent: session.agent, id, file: path });
  return { path, conversation: storeOf(file, session), journal };
}

export function conversationPath(folder: string, id: string): string {
  return join(folder, 'conversations', `${id.replace(/[^\w-]/g, '_').slice(0, 80)}.jsonl`);
}

/** A journal in a folder, for an agent that keeps its messages itself and appends them with the same ids each time. */
export function fileJournal(folder: string, session: SessionIdentity): Promise<JournalFile> {
  return openJournal(folder, session);
}

async function createdOrOpened(path: string, id: string): Promise<ConversationFile> {
  try {
    const time = new Date().toISOString();
    return await ConversationFile.create(path, { id, time, cwd: process.cwd(), madeBy: 'library' });
  } catch (error) {
    const isThere = error instanceof ConversationNotWritten && systemErrorCode(error.cause) === 'EEXIST';
    if (!isThere) throw error;
    return await ConversationFile.open(path);
  }
}

export function storeOf(file: ConversationFile, opened: Session): RecordedConversation {
  const read = async () => stateOf(await file.session());
  return recorded({ write: (records) => file.append(records), read }, stateOf(opened));
}

import { join } from 'node:path';
import type { SessionIdentity } from '../engine/compaction/journal';
import type { Conversation } from '../engine/conversation/conversation';
import type { JournalFile } from '../inspection/journal-file';
import { openJournal } from '../inspection/journal-store';
import { systemErrorCode } from '../sessions/files/with-file';
import type { Session } from '../sessions/session';
import { ConversationFile, ConversationNotRead, ConversationNotWritten } from '../sessions/strata/conversation-file';
import type { NewEntry } from './message';
import type { ConversationStore } from './stores';

export interface FileOptions {
  /** Conversations go to `conversations` in it, journals to `journals`. */
  readonly folder: string;
  /** Of the conversation. The same again goes on with it. */
  readonly id: string;
  /** Another folder for journals: the inspector's, so that it works on the same one. */
  readonly journals?: string;
}

export interface FileStores {
  readonly conversation: ConversationStore & {
    /** What the inspector opens. */
    readonly path: string;
  };
  readonly journal: JournalFile;
}

/**
 * A conversation and its journal on disk, for `createContext`. The inspector and the command line open the conversation
 * like any session; what they write to the journal holds after `refresh()`. Throws `ConversationNotRead`.
 */
export async function fileStores({
  folder,
  id,
  journals = join(folder, 'journals'),
}: FileOptions): Promise<FileStores> {
  const path = join(folder, 'conversations', `${id.replace(/[^\w-]/g, '_').slice(0, 80)}.jsonl`);
  const file = await createdOrOpened(path, id);
  const session = await file.session();
  if (session.id !== id) throw new ConversationNotRead(`${path} holds another conversation (${session.id}).`);
  const journal = await openJournal(journals, { agent: session.agent, id, file: path });
  return { conversation: storeOf(file, session), journal };
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

function storeOf(file: ConversationFile, opened: Session): FileStores['conversation'] {
  let known = opened.conversation;
  const refresh = async () => {
    const { conversation } = await file.session();
    if (isSame(conversation, known)) return false;
    known = conversation;
    return true;
  };
  return {
    path: file.path,
    get conversation() {
      return known;
    },
    refresh,
    async append(entries: readonly NewEntry[]) {
      await refresh();
      let parent = known.entries.at(-1)?.id ?? null;
      const records = entries.map((entry) => {
        const record = { type: 'entry', parent, entry } as const;
        parent = entry.id;
        return record;
      });
      await file.append(records);
      await refresh();
    },
  };
}

/** Conversations share what has not changed, and change at their ends. */
function isSame(a: Conversation, b: Conversation): boolean {
  return (
    a.entries.length === b.entries.length &&
    a.agentContext.length === b.agentContext.length &&
    a.agentContext.at(-1) === b.agentContext.at(-1)
  );
}

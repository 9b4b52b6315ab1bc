import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { journalPath } from '../../inspection/journal-store';
import { withLock } from '../../platform/files/locked-append';
import { orIfMissing } from '../../platform/files/with-file';
import { conversationId } from '../../sessions/strata/beginnings';
import { conversationsFolder, journalsFolder } from '../../sessions/strata/places';

/** A stored conversation with its journal, as files. */
export interface ConversationFiles {
  readonly conversation: string;
  /** Null if nothing was compacted or pinned. */
  readonly journal: string | null;
  /** Size of both files. */
  readonly bytes: number;
  /** Milliseconds since the epoch. */
  readonly modified: number;
}

/** The conversations in a folder, oldest first. Other files in it are left alone. None if there is no such folder. */
export async function conversationFiles(folder: string): Promise<ConversationFiles[]> {
  const conversations = join(folder, conversationsFolder);
  const names = (await orIfMissing(readdir(conversations), [])).filter((name) => name.endsWith('.jsonl'));
  const found = await Promise.all(
    names.map((name) => filesOf(join(conversations, name), join(folder, journalsFolder))),
  );
  return found.filter((files) => files !== null).sort((a, b) => a.modified - b.modified);
}

/** Deletes a conversation and then its journal. A program that still has it open cannot write to it any more. */
export async function deleteConversation({ conversation, journal }: ConversationFiles): Promise<void> {
  await withLock(`${conversation}.lock`, () => rm(conversation, { force: true }));
  if (journal !== null) await withLock(`${journal}.lock`, () => rm(journal, { force: true }));
}

/** Null for a file that is not a conversation of Strata. */
async function filesOf(conversation: string, journals: string): Promise<ConversationFiles | null> {
  const id = await conversationId(conversation);
  if (id === null) return null;
  const path = await journalPath(journals, { agent: 'strata', id, file: conversation });
  const [own, other] = await Promise.all([stat(conversation), orIfMissing(stat(path), null)]);
  return {
    conversation,
    journal: other === null ? null : path,
    bytes: own.size + (other?.size ?? 0),
    modified: Math.max(own.mtimeMs, other?.mtimeMs ?? 0),
  };
}

/** The name that lists show: the id of the conversation as it is in the file's name. */
export function nameOf({ conversation }: Pick<ConversationFiles, 'conversation'>): string {
  return basename(conversation, '.jsonl');
}

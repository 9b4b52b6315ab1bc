import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SessionIdentity } from '../engine/compaction/journal';
import { JournalFile } from './journal-file';

/**
 * The journals of all conversations, one file each. Two copies of a session have the same id and grow apart, so the
 * file's place is part of the name: the real one, whichever link leads to it.
 */
export async function openJournal(directory: string, session: SessionIdentity): Promise<JournalFile> {
  const file = await realpath(session.file);
  return JournalFile.open(resolve(directory, journalName({ ...session, file })), session);
}

function journalName({ agent, id, file }: SessionIdentity): string {
  const place = createHash('sha256').update(file).digest('hex').slice(0, 8);
  return `${safeName(agent)}-${safeName(id)}-${place}.jsonl`;
}

function safeName(text: string): string {
  return text.replace(/[^\w-]/g, '_').slice(0, 80);
}

import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import type { SessionIdentity } from '../engine/compaction/journal';
import { JournalFile } from './journal-file';

/**
 * The journals of all conversations, one file each. Two copies of a session have the same id and grow apart, so the
 * file's place is part of the name.
 */
export async function openJournal(directory: string, session: SessionIdentity): Promise<JournalFile> {
  return JournalFile.open(resolve(directory, journalName(session)), session);
}

export function journalName({ agent, id, file }: SessionIdentity): string {
  const place = createHash('sha256').update(resolve(file)).digest('hex').slice(0, 8);
  return `${safeName(agent)}-${safeName(id)}-${place}.jsonl`;
}

function safeName(text: string): string {
  return text.replace(/[^\w-]/g, '_').slice(0, 80);
}

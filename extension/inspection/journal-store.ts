import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { SessionIdentity } from '../engine/compaction/journal';
import { addressText, readAddress } from '../sessions/address';
import { systemErrorCode } from '../sessions/files/with-file';
import { JournalFile } from './journal-file';

/**
 * The journals of all conversations, one file each. Two copies of a session have the same id and grow apart, so the
 * file's place is part of the name: the real one, whichever link leads to it.
 */
export async function openJournal(directory: string, session: SessionIdentity): Promise<JournalFile> {
  const file = await realAddress(session.file);
  return JournalFile.open(resolve(directory, journalName({ ...session, file })), session);
}

async function realAddress(address: string): Promise<string> {
  for (const { file, key } of readAddress(address)) {
    const real = await realPathOf(file);
    if (real !== null) return addressText({ file: real, key });
  }
  // Its file is gone since it was opened; the journal is found by the name it had.
  return resolve(address);
}

async function realPathOf(file: string): Promise<string | null> {
  try {
    return await realpath(file);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function journalName({ agent, id, file }: SessionIdentity): string {
  const place = createHash('sha256').update(file).digest('hex').slice(0, 8);
  return `${safeName(agent)}-${safeName(id)}-${place}.jsonl`;
}

function safeName(text: string): string {
  return text.replace(/[^\w-]/g, '_').slice(0, 80);
}

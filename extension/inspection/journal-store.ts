import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { SessionIdentity } from '../engine/journal/journal';
import { addressText, readAddress } from '../sessions/address';
import { exists } from '../sessions/files/exists';
import { systemErrorCode } from '../sessions/files/with-file';
import { conversationsFolder, journalsFolder, safeName } from '../sessions/strata/places';
import { JournalFile } from './journal-file';

/**
 * The journals of all conversations, one file each. Two copies of a session have the same id and grow apart, so the
 * file's place is part of the name: the real one, whichever link leads to it. One of Strata's own conversations has its
 * journal beside it, whatever `directory` says, so that all who work on it share one; a journal that was begun in
 * `directory` stays there.
 */
export async function openJournal(directory: string, session: SessionIdentity): Promise<JournalFile> {
  const file = await realAddress(session.file);
  const name = journalName({ ...session, file });
  const asked = resolve(directory, name);
  const folder = folderBeside({ ...session, file });
  if (folder === null) return JournalFile.open(asked, session);
  const beside = join(folder, name);
  const wasBegunElsewhere = !(await exists(beside)) && (await exists(asked));
  return JournalFile.open(wasBegunElsewhere ? asked : beside, session);
}

/** Null for the sessions of agents, and for conversations that lie somewhere else. */
function folderBeside({ agent, file }: SessionIdentity): string | null {
  const folder = dirname(file);
  return agent === 'strata' && basename(folder) === conversationsFolder ? join(dirname(folder), journalsFolder) : null;
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

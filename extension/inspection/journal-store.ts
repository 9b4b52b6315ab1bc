import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { SessionIdentity } from '../engine/journal/records';
import { exists } from '../platform/files/exists';
import { sha256Of } from '../platform/files/sha256';
import { orIfMissing } from '../platform/files/with-file';
import { addressText, readAddress } from '../sessions/address';
import { conversationsFolder, journalsFolder, safeName } from '../sessions/strata/places';
import { JournalFile } from './journal-file';

/**
 * Opens the journal of a conversation, one file each. Copies of a session have the same id but grow apart, so the name
 * contains the file's real path, with links resolved. A conversation of Strata's own has its journal next to it,
 * whatever `directory` says, so that all programs share it; a journal that was started in `directory` stays there.
 */
export async function openJournal(directory: string, session: SessionIdentity): Promise<JournalFile> {
  return JournalFile.open(await journalPath(directory, session), session);
}

/** The existing or future place of a conversation's journal. */
export async function journalPath(directory: string, session: SessionIdentity): Promise<string> {
  const file = await realAddress(session.file);
  const name = journalName({ ...session, file });
  const asked = resolve(directory, name);
  const folder = folderBeside({ ...session, file });
  if (folder === null) return asked;
  const beside = join(folder, name);
  const wasBegunElsewhere = !(await exists(beside)) && (await exists(asked));
  return wasBegunElsewhere ? asked : beside;
}

/** Null for sessions of agents, and for conversations in other places. */
function folderBeside({ agent, file }: SessionIdentity): string | null {
  const folder = dirname(file);
  return agent === 'strata' && basename(folder) === conversationsFolder ? join(dirname(folder), journalsFolder) : null;
}

async function realAddress(address: string): Promise<string> {
  for (const { file, key } of readAddress(address)) {
    const real = await orIfMissing(realpath(file), null);
    if (real !== null) return addressText({ file: real, key });
  }
  // The file was deleted after it was opened; its journal is found by its previous name.
  return resolve(address);
}

function journalName({ agent, id, file }: SessionIdentity): string {
  const place = sha256Of(file).slice(0, 8);
  return `${safeName(agent)}-${safeName(id)}-${place}.jsonl`;
}

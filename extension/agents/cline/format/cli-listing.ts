import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { orIfUnreadable } from '../../../platform/files/with-file';
import type { StoredOutline } from '../../../sessions/adapter';
import { cliSidecars, isSubagentFile, messagesEnd } from './cli-session';
import { readJsonFile } from './json-file';
import { readManifest } from './manifest';

/** Bytes. A smaller file is read completely, which also shows whether its last message has a reply. */
const smallFile = 256 * 1024;

/** The outline of a large session from its manifest alone. Null if the file is small or the manifest is incomplete. */
export async function outlineFromManifest(
  file: string,
  isRunning: (pid: number) => boolean,
): Promise<StoredOutline | null> {
  const { manifest: manifestFile, compaction: compactionFile } = cliSidecars(file);
  const messages = await statOf(file);
  if (messages === null || messages.size <= smallFile) return null;
  const id = basename(file, messagesEnd);
  const nothing = { key: null, id, cwd: null, title: null, awaitsReply: false };
  if (isSubagentFile(file)) return { ...nothing, modified: messages.mtimeMs, isUnlisted: true };
  const reading = await readJsonFile(manifestFile);
  if (reading.kind !== 'json') return null;
  const { title, folder, isUnfinished, isAtWork, ...manifest } = readManifest(reading.value, isRunning);
  if (title === null || folder === null) return null;
  const modified = Math.max(messages.mtimeMs, reading.modified, (await statOf(compactionFile))?.mtimeMs ?? 0);
  return {
    key: null,
    id: manifest.id ?? id,
    cwd: folder,
    title,
    modified,
    awaitsReply: isUnfinished,
    inUse: isAtWork,
  };
}

async function statOf(file: string): Promise<{ size: number; mtimeMs: number } | null> {
  // The caller then reads the file and reports why it cannot be read.
  const found = await orIfUnreadable(stat(file), null);
  return found?.isFile() ? found : null;
}

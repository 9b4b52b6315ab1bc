import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { privateFile } from './private-modes';

/** Writes a whole file, by default for this person alone. Readers see the old content or the new one, never a part. */
export async function replaceFile(path: string, content: string | Uint8Array, mode = privateFile): Promise<void> {
  // Other users may write to the folder, so the name is random and links are not followed.
  const draft = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(draft, content, { flag: 'wx', mode });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

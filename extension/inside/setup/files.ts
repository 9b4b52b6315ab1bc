import { mkdir, readFile, readlink, realpath, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { OperationRefused } from '../../engine/journal/operation-refused';
import { replaceFile } from '../../platform/files/replace-file';
import { orIfMissing, systemErrorCode } from '../../platform/files/with-file';

/** The target of symbolic links. For a link to a missing file, the path of that file. */
async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
  try {
    return await targetOf(resolve(dirname(file), await readlink(file)));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'EINVAL') return file;
    throw error;
  }
}

/** Null if there is no such file. */
export async function bytesOf(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw refusedBy(file, error);
  }
}

/**
 * Writes a complete file and keeps its access rights; null removes it. Readers see the old content or the new one. Returns the folders that
 * had to be created, outermost first.
 */
export async function writeWhole(file: string, bytes: Buffer | null): Promise<readonly string[]> {
  const target = await targetOf(file);
  try {
    if (bytes === null) {
      await rm(target, { force: true });
      return [];
    }
    const created = await createFolder(dirname(target));
    await replaceFile(target, bytes, await modeOf(target));
    return created;
  } catch (error) {
    throw refusedBy(file, error);
  }
}

/** Removes folders that are empty, innermost first. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of folders.toReversed()) {
    try {
      await rmdir(folder);
    } catch {
      // It is not empty, or was removed already.
      return;
    }
  }
}

async function createFolder(folder: string): Promise<readonly string[]> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return [];
  const created: string[] = [];
  for (let each = folder; each.length >= first.length; each = dirname(each)) created.unshift(each);
  return created;
}

/** A new file may contain an address that only this person may know. */
const newFile = 0o600;

async function modeOf(file: string): Promise<number> {
  const found = await orIfMissing(stat(file), null);
  return found === null ? newFile : found.mode & 0o7777;
}

function refusedBy(file: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === null) return error;
  return new OperationRefused('{0} cannot be written ({1}). Nothing was changed.', [file, code], { cause: error });
}

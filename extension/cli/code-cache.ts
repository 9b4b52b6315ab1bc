import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { privateFolder } from '../platform/files/private-modes';
import { cacheFolder } from './default-folders';

/** Access bits of all users but the owner, and the write bits among them. */
const others = 0o077;
const othersWrite = 0o022;
const sticky = 0o1000;

/**
 * Caches the compiled code of this program for its next run. A program that can write to the folder controls the next run, so
 * nothing is cached unless only this person can change the folder.
 */
export function cacheCompiledCode(): void {
  const folder = privateCodeFolder(join(cacheFolder(), 'code'));
  // If NODE_COMPILE_CACHE names a folder, Node.js has already enabled its cache and ignores this one.
  if (folder !== null) enableCompileCache(folder);
}

/** The folder, created if it is missing; null if another user could write to it or replace it. */
export function privateCodeFolder(folder: string): string | null {
  try {
    if (!realFoldersAbove(folder).every(isSafeAbove)) return null;
    mkdirSync(folder, { recursive: true, mode: privateFolder });
    return isPrivate(lstatSync(folder)) && realFoldersAbove(folder).every(isSafeAbove) ? folder : null;
  } catch {
    // The home folder does not exist or cannot be written to. Without the cache, only time is lost.
    return null;
  }
}

function isPrivate(found: Stats): boolean {
  if (!found.isDirectory()) return false;
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & others) === 0);
}

/** The existing folders above a path, without links, innermost first. */
function realFoldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  const isThere = lstatSync(above, { throwIfNoEntry: false }) !== undefined;
  return isThere ? withAllAbove(realpathSync(above)) : realFoldersAbove(above);
}

function withAllAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withAllAbove(above)];
}

/** In a folder with the sticky bit, such as /tmp, users cannot rename files of other users. Windows guards the home by other means. */
function isSafeAbove(folder: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = lstatSync(folder);
  const isTrusted = uid === 0 || uid === process.getuid();
  return isTrusted && ((mode & othersWrite) === 0 || (mode & sticky) !== 0);
}

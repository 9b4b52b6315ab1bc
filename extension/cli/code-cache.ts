import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { dirname, join } from 'node:path';
import { privateFolder } from '../platform/files/private-modes';
import { cacheFolder } from './default-folders';

/** Access bits of everybody but the owner, and the write bits among them. */
const others = 0o077;
const othersWrite = 0o022;
const sticky = 0o1000;

/**
 * Caches the compiled code of this program for its next run. A program that can write to that folder controls the next run, so
 * it is one that only this person can change, or none.
 */
export function cacheCompiledCode(): void {
  const folder = privateCodeFolder(join(cacheFolder(), 'code'));
  // Where NODE_COMPILE_CACHE names a folder, Node.js has enabled the cache already and ignores this one.
  if (folder !== null) enableCompileCache(folder);
}

/** The folder, created if it is missing; null where another user could write to it, or could put another one in its place. */
export function privateCodeFolder(folder: string): string | null {
  try {
    if (!realFoldersAbove(folder).every(isSafeAbove)) return null;
    mkdirSync(folder, { recursive: true, mode: privateFolder });
    return isPrivate(lstatSync(folder)) && realFoldersAbove(folder).every(isSafeAbove) ? folder : null;
  } catch {
    // A home that does not exist or cannot be written to. Only time is lost.
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

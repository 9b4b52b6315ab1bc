import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';

/** Why a file could not be read. */
export type NoFile = {
  readonly kind: 'missing' | 'unreadable' | 'directory';
  /** A sentence for a person; names the file. */
  readonly message: LocalizableText;
};

/** Opens a regular file for reading, hands it over, and closes it whatever happens. */
export async function withFile<Outcome>(
  file: string,
  use: (handle: FileHandle, stats: Stats) => Promise<Outcome>,
): Promise<Outcome | NoFile> {
  try {
    // Without O_NONBLOCK, opening a pipe would wait for a writer. Windows has no such flag.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await handle.stat();
      if (stats.isDirectory()) return folder(file);
      if (!stats.isFile()) return { kind: 'unreadable', message: localizable('{0} is not a regular file', file) };
      return await use(handle, stats);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return noFile(file, error);
  }
}

/** Errors of the file system are expected; anything else is a defect and is rethrown. */
function noFile(file: string, error: unknown): NoFile {
  const code = systemErrorCode(error);
  if (isMissing(code)) return { kind: 'missing', message: localizable('There is no file {0}', file) };
  if (code === 'EISDIR') return folder(file);
  if (code === null) throw error;
  return { kind: 'unreadable', message: localizable('{0} cannot be read ({1})', file, code) };
}

/** The result of a call of the file system, or this value if there is no such file or folder. */
export async function orIfMissing<Result, Missing>(call: Promise<Result>, missing: Missing): Promise<Result | Missing> {
  try {
    return await call;
  } catch (error) {
    if (isMissing(systemErrorCode(error))) return missing;
    throw error;
  }
}

/** The result of a call of the file system, or this value if the file does not exist or cannot be read, for whatever reason. */
export async function orIfUnreadable<Result, Unread>(call: Promise<Result>, unread: Unread): Promise<Result | Unread> {
  try {
    return await call;
  } catch (error) {
    if (systemErrorCode(error) === null) throw error;
    return unread;
  }
}

function isMissing(code: string | null): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function systemErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

function folder(file: string): NoFile {
  return { kind: 'directory', message: localizable('{0} is a folder, not a session file', file) };
}

import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { systemErrorCode } from './with-file';

/** A folder that could not be listed, so `line` is 0. */
interface FolderIssue {
  readonly file: string;
  readonly line: 0;
  readonly message: LocalizableText;
}

interface FolderWalk {
  readonly files: readonly string[];
  readonly issues: readonly FolderIssue[];
}

/**
 * All files below a folder, to a maximum depth. Links are followed, and each folder is visited once. Rejects with the signal's reason on
 * abort.
 */
export async function filesBelow(root: string, depth: number, signal?: AbortSignal): Promise<FolderWalk> {
  const walk = new Walk(signal);
  await walk.visit(root, depth);
  return walk;
}

class Walk implements FolderWalk {
  readonly files: string[] = [];
  readonly issues: FolderIssue[] = [];
  readonly #visited = new Set<string>();

  constructor(readonly signal: AbortSignal | undefined) {}

  async visit(folder: string, depth: number): Promise<void> {
    this.signal?.throwIfAborted();
    for (const item of await this.#list(folder)) {
      const path = join(folder, item.name);
      const kind = item.isSymbolicLink() ? await this.#kindOfTarget(path) : kindOf(item);
      if (kind === 'file') this.files.push(path);
      if (kind === 'folder' && depth > 0) await this.visit(path, depth - 1);
    }
  }

  async #list(folder: string): Promise<Dirent[]> {
    try {
      const real = await realpath(folder);
      if (this.#visited.has(real)) return [];
      this.#visited.add(real);
      return await readdir(real, { withFileTypes: true });
    } catch (error) {
      const code = systemErrorCode(error);
      // An agent that was never used has no folder.
      if (code !== 'ENOENT')
        this.issues.push({
          file: folder,
          line: 0,
          message: localizable('{0} cannot be read ({1})', folder, String(code)),
        });
      return [];
    }
  }

  async #kindOfTarget(path: string): Promise<'file' | 'folder' | 'other'> {
    try {
      return kindOf(await stat(path));
    } catch (error) {
      const code = systemErrorCode(error);
      this.issues.push({ file: path, line: 0, message: localizable('{0} is a broken link ({1})', path, String(code)) });
      return 'other';
    }
  }
}

function kindOf(item: Pick<Dirent, 'isFile' | 'isDirectory'>): 'file' | 'folder' | 'other' {
  if (item.isFile()) return 'file';
  return item.isDirectory() ? 'folder' : 'other';
}

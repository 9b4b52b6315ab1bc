import { type FileHandle, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LocalizableError, localizable } from '../../engine/wording/localizable-text';
import { exists } from '../../platform/files/exists';
import { privateFolder } from '../../platform/files/private-modes';
import { orIfMissing, systemErrorCode } from '../../platform/files/with-file';
import { linesOf } from '../../platform/lines/lines-of';

/** A session could not be written; the message names the file and says why. No partial file remains. */
export class ForkNotWritten extends LocalizableError {
  override name = 'ForkNotWritten';
}

const unfinished = '.strata-fork';
/** Milliseconds after which a temporary file is abandoned: no fork takes this long to write. */
const leftoverAfter = 24 * 60 * 60 * 1000;

/** Size of the write buffer in characters. */
const bufferedCharacters = 256 * 1024;

/** A session file that is being written. It gets its name only when it is complete and on disk. */
export class ForkFile {
  readonly #temporary: string;
  #pending: string[] = [];
  #pendingLength = 0;

  private constructor(
    readonly file: string,
    temporary: string,
    private readonly handle: FileHandle,
  ) {
    this.#temporary = temporary;
  }

  /** Does the work with a new file; it takes its name when the work is done, and vanishes when that fails. */
  static async write<T>(file: string, mode: number, work: (fork: ForkFile) => Promise<T>): Promise<T> {
    const fork = await ForkFile.#begin(file, mode);
    try {
      const outcome = await work(fork);
      await fork.#finish();
      return outcome;
    } catch (error) {
      throw asNotWritten(file, error);
    } finally {
      await fork.handle.close();
      await rm(fork.#temporary, { force: true });
    }
  }

  static async #begin(file: string, mode: number): Promise<ForkFile> {
    const folder = dirname(file);
    // No agent takes a file of this name for a session.
    const temporary = join(folder, `.${basename(file)}${unfinished}`);
    try {
      await mkdir(folder, { recursive: true, mode: privateFolder });
      await removeLeftovers(folder);
      // Its agent must be able to write to it, even if the original is read-only.
      return new ForkFile(file, temporary, await open(temporary, 'wx+', (mode & 0o777) | 0o600));
    } catch (error) {
      throw asNotWritten(file, error);
    }
  }

  async line(text: string): Promise<void> {
    this.#pending.push(text, '\n');
    this.#pendingLength += text.length + 1;
    if (this.#pendingLength > bufferedCharacters) await this.#flush();
  }

  /** Reads the lines written so far. */
  async *lines(): ReturnType<typeof linesOf> {
    await this.#flush();
    yield* linesOf(this.handle);
  }

  async #flush(): Promise<void> {
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingLength = 0;
    // Appends at the end, wherever a reader was: `appendFile` uses the handle's own position, which reading does not
    // move.
    if (text !== '') await this.handle.appendFile(text, 'utf8').catch((error) => this.#fail(error));
  }

  /** Distinguishes write failures from failures of the file that is being copied. */
  #fail(error: unknown): never {
    throw asNotWritten(this.file, error);
  }

  async #finish(): Promise<void> {
    await this.#flush();
    await this.handle.sync();
    await takeName(this.#temporary, this.file);
  }
}

/** Removes temporary files of killed processes. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('.') || !name.endsWith(unfinished)) continue;
    const path = join(folder, name);
    if (await isOld(path)) await rm(path, { force: true });
  }
}

async function isOld(path: string): Promise<boolean> {
  // It may just have been renamed to the finished fork.
  const found = await orIfMissing(stat(path), null);
  return found !== null && Date.now() - found.mtimeMs > leftoverAfter;
}

/** Never overwrites a file: a link is refused if one exists, and a rename follows a check. */
async function takeName(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') throw error;
    // Some disks have no links.
    if (await exists(file)) throw new ForkNotWritten(localizable('{0} already exists. Nothing was written.', file));
    await rename(temporary, file);
  }
}

function asNotWritten(file: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === null) return error;
  return new ForkNotWritten(localizable('{0} could not be written ({1}). No partial file remains.', file, code), {
    cause: error,
  });
}

import { type FileHandle, link, open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { linesOf } from '../files/lines-of';
import { systemErrorCode } from '../files/with-file';

/** A session could not be written; the message names the file and says why. Nothing was left behind. */
export class ForkNotWritten extends Error {
  override name = 'ForkNotWritten';
}

/** Written at once when this many characters have come together. */
const bufferedCharacters = 256 * 1024;

/** A session file in the making: nobody sees it under its name before it is whole and on the disk. */
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
    // No agent takes a file of this name for a session.
    const temporary = join(dirname(file), `.${basename(file)}.strata-fork`);
    try {
      return new ForkFile(file, temporary, await open(temporary, 'wx+', mode & 0o777));
    } catch (error) {
      throw asNotWritten(file, error);
    }
  }

  async line(text: string): Promise<void> {
    this.#pending.push(text, '\n');
    this.#pendingLength += text.length + 1;
    if (this.#pendingLength > bufferedCharacters) await this.#flush();
  }

  /** What was written so far, line by line. */
  async *lines(): ReturnType<typeof linesOf> {
    await this.#flush();
    yield* linesOf(this.handle);
  }

  async #flush(): Promise<void> {
    const text = this.#pending.join('');
    this.#pending = [];
    this.#pendingLength = 0;
    // Behind what is there, wherever a reader was: `appendFile` goes by the handle's own place, which reading leaves alone.
    if (text !== '') await this.handle.appendFile(text, 'utf8');
  }

  async #finish(): Promise<void> {
    await this.#flush();
    await this.handle.sync();
    await takeName(this.#temporary, this.file);
  }
}

/** Never over a file that is there: a link is refused then, and a rename comes after a look. */
async function takeName(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') throw error;
    // Some disks have no links.
    if (await exists(file)) throw new ForkNotWritten(`${file} is there already; nothing was written`);
    await rename(temporary, file);
  }
}

async function exists(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function asNotWritten(file: string, error: unknown): unknown {
  const code = systemErrorCode(error);
  if (code === null) return error;
  return new ForkNotWritten(`${file} could not be written (${code}); nothing was left behind`, { cause: error });
}

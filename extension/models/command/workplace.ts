import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ownRunPrefix } from '../../engine/block/own-runs';

/** An empty folder for one run that only this user can read. */
export class Workplace {
  private constructor(
    /** The working folder; it stays empty. */
    readonly folder: string,
    /** For files of the run, and for a program that keeps sessions in its home folder. */
    readonly home: string,
  ) {}

  /** Makes a workplace, and removes it with everything in it when the work is done. */
  static async during<Result>(work: (place: Workplace) => Promise<Result>): Promise<Result> {
    const root = await mkdtemp(join(tmpdir(), ownRunPrefix));
    try {
      const [folder, home] = [join(root, `${ownRunPrefix}work`), join(root, 'home')];
      await Promise.all([mkdir(folder), mkdir(home)]);
      return await work(new Workplace(folder, home));
    } finally {
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    }
  }

  async write(name: string, text: string): Promise<string> {
    const file = join(this.home, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  }

  /**
   * Makes existing files of the program's real home folder available in this one: as links, so that a renewed sign-in is kept, or as copies
   * if the system refuses links.
   */
  async borrow(from: string, names: readonly string[], to = ''): Promise<void> {
    await Promise.all(
      names.map(async (name) => {
        const [source, target] = [join(from, name), join(this.home, to, name)];
        if (!existsSync(source)) return;
        await mkdir(dirname(target), { recursive: true });
        await symlink(source, target).catch(() => copyFile(source, target));
      }),
    );
  }
}

/** A folder in the person's home folder, or the one that a variable names. */
export function homeOf(variable: string, folder: string): string {
  return process.env[variable] || join(homedir(), folder);
}

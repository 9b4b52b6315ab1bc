import { type StatsListener, unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { counted } from '../engine/wording/counts';
import { wordingOf } from '../engine/wording/localizable-text';
import { type Tenants, TenantsUnreadable, tenantsIn } from '../gateway/admission';
import { CommandFailed } from './command-failed';

/** How often the file is checked for changes. Polling works where file notifications do not: mounted folders, replaced links. */
const intervalMs = 1_000;

/** The tenants of a file. The file is read again when it changes, and at SIGHUP. */
export class TenantsFile {
  readonly #changed: StatsListener = () => void this.reload();

  private constructor(
    private readonly file: string,
    private readonly tell: (message: string) => void,
    private known: Tenants,
  ) {
    watchFile(file, { interval: intervalMs, persistent: false }, this.#changed);
    process.on('SIGHUP', this.reload);
  }

  /** Throws `CommandFailed` if the file cannot be read. */
  static async opened(file: string, tell: (message: string) => void): Promise<TenantsFile> {
    try {
      return new TenantsFile(file, tell, tenantsIn(await readFile(file, 'utf8'), file));
    } catch (error) {
      if (error instanceof TenantsUnreadable) throw new CommandFailed(error.message, true);
      throw new CommandFailed(`the tenants cannot be read: ${wordingOf(error)}`);
    }
  }

  get tenants(): Tenants {
    return this.known;
  }

  /** Such as "2 tenants with 3 tokens". */
  get description(): string {
    const names = new Set(this.known.values()).size;
    return `${counted(names, 'tenant')} with ${counted(this.known.size, 'token')}`;
  }

  /** If the file cannot be read, the previous tenants stay. Otherwise one mistyped line would lock out all tenants. */
  readonly reload = async (): Promise<void> => {
    try {
      this.known = tenantsIn(await readFile(this.file, 'utf8'), this.file);
      this.tell(`The tenants were read again: ${this.description}.`);
    } catch (error) {
      this.tell(`The tenants could not be read again, so those of before still apply: ${wordingOf(error)}`);
    }
  };

  close(): void {
    unwatchFile(this.file, this.#changed);
    process.off('SIGHUP', this.reload);
  }
}

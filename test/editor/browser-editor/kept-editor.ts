import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { installStrata } from './installed-extension.ts';
import { type EditorServer, startServer } from './server.ts';
import { type Settings, writeUserSettings } from './settings.ts';
import { DEFAULT_VIEWPORT, newContext, showWorkbench, Workbench } from './workbench.ts';

/** An editor opens this folder with these settings after its home was filled. */
export interface FilledHome {
  /** The workspace folder. */
  readonly folder: string;
  readonly settings?: Settings;
}

/** Fills the home of a person, where a shell finds the programs in `bin`. It is empty otherwise. */
export type FillHome = (home: string) => Promise<FilledHome>;

const EXIT_TIMEOUT_MS = 45_000;
const EXIT_POLL_MS = 50;

/**
 * A shell finds the programs in `bin` of the home. VS Code asks a shell for its PATH once for each server, so every home
 * has these files.
 */
const SHELL_STARTUP_FILES = ['.bashrc', '.profile'];

/** The server prints this text with the process id in between. */
const STARTED = /Launched Extension Host Process/g;
const EXITED = /Extension Host Process exited/g;

/** Files that the server still uses when its person's data are removed. Everything else belongs to the person. */
const OF_THE_SERVER = ['CachedProfilesData', 'connection-token', 'extensions', 'logs', 'server.log'];

/**
 * One server and one page for several workbenches, one after the other. Each begins as if new: with an empty home,
 * without data of a person, and with nothing stored by the browser. Compiled scripts stay, because they take half the
 * processor time of a start.
 */
export class KeptEditor {
  readonly #server: EditorServer;
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly #home: string;

  private constructor(server: EditorServer, context: BrowserContext, page: Page, home: string) {
    this.#server = server;
    this.#context = context;
    this.#page = page;
    this.#home = home;
  }

  static async start(browser: Browser): Promise<KeptEditor> {
    const userDataDir = temporaryFolder();
    const home = join(temporaryFolder(), 'home');
    const extensionsDir = join(userDataDir, 'extensions');
    await installStrata(extensionsDir);
    const server = await startServer({ userDataDir, extensionsDir, environment: { HOME: home, XDG_DATA_HOME: '' } });
    try {
      const context = await newContext(browser);
      return new KeptEditor(server, context, await context.newPage(), home);
    } catch (error) {
      await server.close();
      throw error;
    }
  }

  async open(fillHome: FillHome): Promise<Workbench> {
    await rm(this.#home, { recursive: true, force: true });
    await mkdir(this.#home, { recursive: true });
    for (const file of SHELL_STARTUP_FILES) await writeFile(join(this.#home, file), 'PATH="$HOME/bin:$PATH"\n');
    await this.#removeUserData();
    const { folder, settings = {} } = await fillHome(this.#home);
    await writeUserSettings(this.#server.userDataDir, settings);
    const workbench = new Workbench(this.#page, folder, this.#server, () => this.#leave());
    await showWorkbench(workbench, this.#server);
    return workbench;
  }

  async #removeUserData(): Promise<void> {
    const { userDataDir } = this.#server;
    const ofThePerson = (await readdir(userDataDir)).filter((name) => !OF_THE_SERVER.includes(name));
    for (const name of ofThePerson) await rm(join(userDataDir, name), { recursive: true, force: true });
  }

  /** The page ends its extension host when it navigates away. Only then are the files of server and person no longer in use. */
  async #leave(): Promise<void> {
    await this.#page.goto('about:blank');
    await this.#extensionHostsExited();
    const { origin } = this.#server;
    const session = await this.#context.newCDPSession(this.#page);
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'indexeddb,local_storage,cookies' });
    await session.detach();
    await this.#context.clearPermissions();
    this.#page.removeAllListeners();
    await this.#page.setViewportSize(DEFAULT_VIEWPORT);
  }

  async #extensionHostsExited(): Promise<void> {
    const deadline = Date.now() + EXIT_TIMEOUT_MS;
    while (Date.now() < deadline) {
      const log = await readFile(join(this.#server.userDataDir, 'server.log'), 'utf8');
      if (count(log, EXITED) >= count(log, STARTED)) return;
      await sleep(EXIT_POLL_MS);
    }
    throw new Error(`The extension host did not end within ${EXIT_TIMEOUT_MS / 1000} seconds after its page was left.`);
  }

  /** Closes the page and stops the server. */
  async end(): Promise<void> {
    await this.#context.close();
    await this.#server.close();
  }
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

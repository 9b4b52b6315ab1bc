import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  errors,
  type FrameLocator,
  type Locator,
  type Page,
  type ViewportSize,
} from 'playwright-core';
import { outputFolder } from '../paths.ts';
import { homeOfNobody, temporaryFolder } from '../processes/temporary-folder.ts';
import { strata } from '../strata.ts';
import { editorAddress } from './address.ts';
import { installStrata, installVsix } from './installed-extension.ts';
import { type EditorServer, type ServerOptions, startServer } from './server.ts';

export interface WorkbenchOptions extends ServerOptions {
  /** The workspace folder. Default: an empty temporary one. */
  readonly folder?: string;
  readonly viewport?: ViewportSize;
  /** A packed Strata to install. Default: the current build is copied. */
  readonly vsix?: string;
}

export const screenshotFolder = join(outputFolder, 'screenshots');

/** The size of a usual window, without the browser around it. */
export const DEFAULT_VIEWPORT: ViewportSize = { width: 1440, height: 900 };

/**
 * Time limit for one thing to appear on the screen. Starting the extension host alone takes five seconds on two cores.
 */
const APPEAR_TIMEOUT_MS = 30_000;

/** Time for a command to appear in the palette before the palette is opened again. It doubles with each attempt. */
const PALETTE_PATIENCE_MS = 2_000;

const ATTEMPTS_TO_CHOOSE = 3;

/** VS Code with the extension under development, and the actions of a person in it. */
export class Workbench {
  /** The whole page, for actions without a helper here. */
  readonly page: Page;
  readonly folder: string;
  readonly userDataDir: string;
  readonly #leave: () => Promise<void>;
  readonly #printed: string[] = [];

  /** `leave` ends what only this workbench uses. */
  constructor(page: Page, folder: string, { userDataDir }: EditorServer, leave: () => Promise<void>) {
    this.page = page;
    this.folder = folder;
    this.userDataDir = userDataDir;
    this.#leave = leave;
    page.on('console', (message) => this.#printed.push(`${message.type()} ${message.text()}`));
  }

  /**
   * Runs a command by its whole title in the command palette, such as `Chat: Open Chat`. Waits for the
   * command, because an open palette does not show commands that are registered later.
   */
  async runCommand(title: string): Promise<void> {
    for (let patience = PALETTE_PATIENCE_MS; patience <= APPEAR_TIMEOUT_MS; patience *= 2) {
      if (await this.#pickInPalette(title, patience)) return;
    }
    throw new Error(`The command palette offers no command "${title}".`);
  }

  /** Reloads the window, and waits for its new page: the old one stays until the extensions have stopped. */
  async reloadWindow(): Promise<void> {
    await Promise.all([this.page.waitForEvent('load'), this.runCommand('Developer: Reload Window')]);
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
  }

  async #pickInPalette(title: string, timeout: number): Promise<boolean> {
    await this.page.keyboard.press('F1');
    if (!(await appears(this.#quickInput(), timeout))) return false;
    if (!(await inTime(this.#quickInput().fill(`>${title}`, { timeout })))) return false;
    if (await appears(this.#quickPickRow(title), timeout)) {
      return await this.#pick(title);
    }
    await this.page.keyboard.press('Escape');
    return false;
  }

  /** Runs a command and chooses from its list. Repeats both if the list closed because a new view took the focus. */
  async runAndChoose(title: string, label: string): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS_TO_CHOOSE; attempt += 1) {
      await this.runCommand(title);
      if ((await appears(this.#quickPickRow(label), APPEAR_TIMEOUT_MS)) && (await this.#pick(label))) return;
    }
    throw new Error(`The list of "${title}" closed before "${label}" was chosen.`);
  }

  /** Chooses an item of the list that a command shows, by its whole label. */
  async chooseItem(label: string): Promise<void> {
    await this.#quickPickRow(label).waitFor({ timeout: APPEAR_TIMEOUT_MS });
    if (!(await this.#pick(label))) throw new Error(`The list closed before "${label}" was chosen.`);
  }

  /**
   * Uses the keyboard, because for a mouse the tooltip of one item covers the next ones. Returns false if the list closed:
   * Enter would then press a button in the view that took the focus.
   */
  async #pick(label: string): Promise<boolean> {
    const row = this.#quickPickRow(label);
    const rows = Number(await row.getAttribute('aria-setsize'));
    for (let step = 0; step <= rows; step += 1) {
      if (!(await this.#listHasFocus())) return false;
      const isChosen = /\bfocused\b/.test((await row.getAttribute('class')) ?? '');
      await this.page.keyboard.press(isChosen ? 'Enter' : 'ArrowDown');
      if (isChosen) return true;
    }
    return false;
  }

  #listHasFocus(): Promise<boolean> {
    return this.page.locator('.quick-input-widget:focus-within').isVisible();
  }

  /**
   * Chooses from a menu of VS Code that was just opened. Uses the keyboard, because a new menu ignores clicks for a
   * moment: they may be the end of the click that opened it.
   */
  async chooseMenuItem(name: string | RegExp): Promise<void> {
    await this.page.getByRole('menuitem', { name }).hover();
    await this.page.keyboard.press('Enter');
  }

  /** Types into the input box that a command shows, and presses Enter. */
  async answer(text: string): Promise<void> {
    await this.#quickInput().fill(text, { timeout: APPEAR_TIMEOUT_MS });
    await this.page.keyboard.press('Enter');
  }

  #quickInput(): Locator {
    return this.page.locator('.quick-input-widget .quick-input-box input');
  }

  #quickPickRow(label: string): Locator {
    const rows = this.page.locator('.quick-input-widget .quick-input-list .monaco-list-row');
    return rows.filter({ has: this.page.getByText(label, { exact: true }) }).first();
  }

  /** Waits for a notification with this text in its message. */
  async waitForNotification(text: string | RegExp): Promise<Locator> {
    const notification = this.#notifications().filter({ hasText: text }).first();
    await notification.waitFor({ timeout: APPEAR_TIMEOUT_MS });
    return notification;
  }

  /** The messages of the error notifications that are shown now. */
  errorNotifications(): Promise<string[]> {
    const failures = this.#notifications().filter({ has: this.page.locator('.codicon-error') });
    return failures.locator('.notification-list-item-message').allInnerTexts();
  }

  #notifications(): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item');
  }

  /** The content of the extension's webview in the side bar. */
  sideBarWebview(): FrameLocator {
    return this.#webview('[src*="purpose=webviewView"]');
  }

  /** The content of the extension's webview in the active editor tab. */
  editorWebview(): FrameLocator {
    return this.#webview(':not([src*="purpose=webviewView"])');
  }

  /**
   * A webview consists of two frames: VS Code's own, and in it the one with the extension's page, which is replaced on
   * reload.
   */
  #webview(place: string): FrameLocator {
    const outer = this.page.locator(`iframe.webview[src*="extensionId=${strata.identifier}"]${place}`);
    return outer.filter({ visible: true }).first().contentFrame().frameLocator('#active-frame');
  }

  async setViewport(size: ViewportSize): Promise<void> {
    await this.page.setViewportSize(size);
  }

  /** Changes the theme in the settings files, which the editor reads again when they change. */
  async changeTheme(theme: string): Promise<void> {
    for (const place of ['User', 'Machine']) {
      const file = join(this.userDataDir, place, 'settings.json');
      const settings = JSON.parse(await readFile(file, 'utf8'));
      await writeFile(file, JSON.stringify({ ...settings, 'workbench.colorTheme': theme }, undefined, 2));
    }
  }

  /** Writes `test/.output/screenshots/NAME.png` and returns its path. */
  async takeScreenshot(name: string): Promise<string> {
    await mkdir(screenshotFolder, { recursive: true });
    const path = join(screenshotFolder, `${name}.png`);
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    return path;
  }

  /** Takes a screenshot, and stores beside it what the page and the extension host printed. */
  async keepEvidence(name: string): Promise<void> {
    await this.takeScreenshot(name);
    await writeFile(join(screenshotFolder, `${name}.log`), this.#printed.join('\n'));
  }

  /** Leaves the page. If the server is its own, it ends too. */
  async close(): Promise<void> {
    await this.#leave();
  }
}

/** Starts a server with Strata installed and opens its workbench in a new browser context. */
export async function openWorkbench(browser: Browser, options: WorkbenchOptions = {}): Promise<Workbench> {
  const folder = options.folder ?? (await emptyWorkspace(temporaryFolder()));
  const userDataDir = options.userDataDir ?? temporaryFolder();
  const extensionsDir = options.extensionsDir ?? join(userDataDir, 'extensions');
  if (options.vsix === undefined) await installStrata(extensionsDir);
  else await installVsix(options.vsix, extensionsDir, options.version);
  const environment = { ...homeOfNobody(), ...options.environment };
  const server = await startServer({ ...options, userDataDir, extensionsDir, environment });
  const context = await newContext(browser, options.viewport);
  const leave = async () => {
    await context.close();
    await server.close();
  };
  try {
    const workbench = new Workbench(await context.newPage(), folder, server, leave);
    await showWorkbench(workbench, server);
    return workbench;
  } catch (error) {
    await leave();
    throw error;
  }
}

/** A context with storage of its own. Animations are off in its pages, because the processor paints every frame. */
export async function newContext(browser: Browser, viewport: ViewportSize = DEFAULT_VIEWPORT): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  await context.addInitScript(stopSpinners);
  return context;
}

/** VS Code animates its spinners and progress bars even if a person prefers reduced motion. */
function stopSpinners(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.codicon-modifier-spin, .progress-bit { animation: none !important }');
  document.adoptedStyleSheets.push(sheet);
}

/** Opens the workbench of a server. */
export async function showWorkbench(workbench: Workbench, server: EditorServer): Promise<void> {
  const { page, folder } = workbench;
  try {
    await page.goto(editorAddress(server, { folder }));
    await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: APPEAR_TIMEOUT_MS });
  } catch (error) {
    await workbench.keepEvidence('failed-to-open');
    throw error;
  }
}

/** A workspace folder inside this one. Its name is shown in the title and in the explorer. */
export async function emptyWorkspace(parent: string): Promise<string> {
  const folder = join(parent, 'workspace');
  await mkdir(folder);
  return folder;
}

/** Whether it is on the screen before the timeout, in milliseconds. */
export async function appears(locator: Locator, timeout: number): Promise<boolean> {
  try {
    await locator.waitFor({ timeout });
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

/** Whether an act was completed before it timed out. A view that opens takes the focus, which closes the palette. */
async function inTime(act: Promise<unknown>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    if (error instanceof errors.TimeoutError) return false;
    throw error;
  }
}

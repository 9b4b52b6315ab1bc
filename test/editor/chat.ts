import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { appears, type Workbench } from './browser-editor/workbench.ts';
import { projectFolder } from './paths.ts';
import { temporaryFolder } from './processes/temporary-folder.ts';

/** A folder of extensions that contains these extensions of the tests. */
export async function extensionsFolder(...names: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  for (const name of names) {
    await cp(join(projectFolder, 'test/editor/extensions', name), join(folder, `strata-test.${name}-0.0.1`), {
      recursive: true,
    });
  }
  return folder;
}

const ATTEMPTS_TO_MENTION = 20;
const MARK_TIMEOUT_MS = 1_500;
/** Otherwise Playwright looks in every frame. */
const ANSWER_POLL_MS = 50;

const listRows = '.interactive-session .interactive-list .monaco-list-row';

/** VS Code's own Chat view, as a person uses it. */
export class Chat {
  readonly #page: Page;
  readonly #modelName: string;

  private constructor(workbench: Workbench, modelName: string) {
    this.#page = workbench.page;
    this.#modelName = modelName;
  }

  static async open(workbench: Workbench, modelName: string): Promise<Chat> {
    await workbench.runCommand('Chat: Open Chat');
    const chat = new Chat(workbench, modelName);
    await chat.ready();
    return chat;
  }

  /** Waits until Strata has started: its model is selected then. */
  async ready(): Promise<void> {
    await this.#page.locator('.chat-input-toolbars').getByText(this.#modelName).first().waitFor();
  }

  /** Starts an empty chat in the same view. */
  async startNew(): Promise<void> {
    const view = this.#page.locator('.part.auxiliarybar');
    await view
      .getByRole('button', { name: /^New Chat/ })
      .first()
      .click();
    await view.locator(`${listRows} .interactive-request`).first().waitFor({ state: 'detached' });
  }

  /**
   * Sends a message to `@strata` and waits for the answer. After the first message the view keeps `@strata` in its
   * input.
   */
  async say(message: string): Promise<Locator> {
    const before = await this.#lastRow();
    await this.write(message);
    await this.#page.keyboard.press('Enter');
    return await this.#answerAfter(before);
  }

  async write(message: string): Promise<void> {
    // A notification may cover the input.
    for (const clear of await this.#page.locator('.notifications-toasts .codicon-notifications-clear').all()) {
      await clear.click({ timeout: 1000 }).catch(() => undefined);
    }
    await this.#input().click();
    await this.#mention();
    await this.#page.keyboard.insertText(message);
    // A space follows a slash command, so that Enter does not complete its name.
    await this.#page.keyboard.press('Space');
  }

  /**
   * Types `@strata` until VS Code marks it as a participant. VS Code knows participants a moment later than the models, and
   * sends an earlier mention as plain words.
   */
  async #mention(): Promise<void> {
    const marked = this.#input().locator('[class*="chat-session-text"]', { hasText: '@strata' }).first();
    for (let attempt = 1; attempt <= ATTEMPTS_TO_MENTION; attempt += 1) {
      if (!(await this.#input().innerText()).includes('@strata')) await this.#page.keyboard.type('@strata ');
      if (await appears(marked, MARK_TIMEOUT_MS)) return;
      await this.#page.keyboard.press('ControlOrMeta+a');
      await this.#page.keyboard.press('Delete');
    }
    throw new Error('VS Code does not know the participant @strata.');
  }

  /** The whole answer below this row of the list, once it is complete. An earlier answer is never returned. */
  async #answerAfter(row: number): Promise<Locator> {
    const page = this.#page;
    const answer = await page.waitForFunction(
      ({ rows, after }) => {
        const answers = [...document.querySelectorAll<HTMLElement>(`${rows}:has(.interactive-response)`)];
        const newest = answers.find(({ dataset }) => Number(dataset.index) > after);
        const isWhole = newest?.querySelector('.chat-response-loading') === null;
        return isWhole ? (newest?.dataset.index ?? null) : null;
      },
      { rows: listRows, after: row },
      { timeout: 60_000, polling: ANSWER_POLL_MS },
    );
    await page.locator('.chat-execute-toolbar .codicon-stop-circle').waitFor({ state: 'hidden', timeout: 60_000 });
    return page.locator(`${listRows}[data-index="${await answer.jsonValue()}"] .interactive-response`);
  }

  /** The index of the last row of the chat's list; -1 while it is empty. */
  async #lastRow(): Promise<number> {
    const indexes = await this.#page
      .locator(listRows)
      .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset.index)));
    return Math.max(-1, ...indexes);
  }

  #input(): Locator {
    return this.#page.locator('.interactive-session .chat-editor-container .monaco-editor').first();
  }
}

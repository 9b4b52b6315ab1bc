import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { Workbench } from './browser-editor/workbench.ts';
import { projectFolder } from './paths.ts';
import { temporaryFolder } from './processes/temporary-folder.ts';

/** A folder of extensions with these of the tests in it. */
export async function extensionsFolder(...names: readonly string[]): Promise<string> {
  const folder = temporaryFolder();
  for (const name of names) {
    await cp(join(projectFolder, 'test/editor/extensions', name), join(folder, `strata-test.${name}-0.0.1`), {
      recursive: true,
    });
  }
  return folder;
}

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

  /** Strata has started: its model is the one that is picked. */
  async ready(): Promise<void> {
    await this.#page.locator('.chat-input-toolbars').getByText(this.#modelName).first().waitFor();
    // VS Code knows a participant a moment after it knows the models.
    await this.#page.waitForTimeout(3000);
  }

  /** Sends a message to `@strata` and waits until it is answered. The view keeps `@strata` in its input after the first. */
  async say(message: string): Promise<Locator> {
    await this.write(message);
    await this.#page.keyboard.press('Enter');
    return await this.answerTo(message);
  }

  async write(message: string): Promise<void> {
    // A notice can lie over the input.
    for (const clear of await this.#page.locator('.notifications-toasts .codicon-notifications-clear').all()) {
      await clear.click({ timeout: 1000 }).catch(() => undefined);
    }
    await this.#input().click();
    const mention = (await this.#input().innerText()).includes('@strata') ? '' : '@strata ';
    await this.#page.keyboard.type(`${mention}${message}`);
    // A slash command is followed by a space, so that its name is not completed by Enter.
    await this.#page.keyboard.press('Space');
  }

  /** The whole answer to the newest message, once it is there. */
  async answerTo(message: string): Promise<Locator> {
    const page = this.#page;
    const shown = message.split(' ').at(0) ?? message;
    await page.locator('.interactive-request').filter({ hasText: shown }).last().waitFor();
    const answer = page.locator('.interactive-response').last();
    await answer.waitFor();
    await page.locator('.chat-execute-toolbar .codicon-stop-circle').waitFor({ state: 'hidden', timeout: 60_000 });
    return answer;
  }

  #input(): Locator {
    return this.#page.locator('.interactive-session .chat-editor-container .monaco-editor').first();
  }
}

import { cp, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import type { Browser, FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { packageFile, packagesFolder } from '../../scripts/packages/pack';
import { launchChromium } from '../editor/browser-editor/chromium';
import { CODE_SERVER_VERSION, OLDEST_CODE_SERVER_VERSION } from '../editor/browser-editor/install';
import type { Settings } from '../editor/browser-editor/settings';
import { openWorkbench, type Workbench } from '../editor/browser-editor/workbench';
import { compactAll, openInTab, openSample } from '../editor/inspector';
import { temporaryFolder } from '../editor/processes/temporary-folder';
import type { OpenEditor } from '../editor/walk';

/**
 * Tests of the packed extension, which editors install themselves: the oldest that Strata supports, and the newest
 * known version.
 */

let browser: Browser;

/** The first run installs the editor. */
vi.setConfig({ testTimeout: 900_000 });

beforeAll(async () => {
  browser = await launchChromium();
});

afterAll(() => browser.close());

type Steps = (workbench: Workbench, panel: FrameLocator) => Promise<void>;

function compactAndUndo(name: string): Steps {
  return async (workbench, panel) => {
    await compactAll(panel);
    await workbench.takeScreenshot(`packages-compacted-${name}`);
    await panel.getByRole('button', { name: /^Undo:/ }).click();
    await panel.getByRole('button', { name: /^Redo:/ }).waitFor();
    expect(await workbench.errorNotifications()).toEqual([]);
  };
}

/** Uses the editor's own file dialog, which restores its folder and ignores Enter while it lists the folder. */
async function chooseFile({ page }: Workbench, file: string): Promise<void> {
  const dialog = page.locator('.quick-input-widget');
  const row = dialog
    .locator('.monaco-list-row')
    .filter({ hasText: basename(file) })
    .first();
  const choose = async () => {
    await dialog.locator('.quick-input-box input').fill(file, { timeout: 5_000 });
    await row.waitFor({ timeout: 5_000 });
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden', timeout: 5_000 });
  };
  await vi.waitFor(choose, { timeout: 60_000 });
}

async function withEditor(
  version: string,
  settings: Settings,
  steps: Steps,
  vsix = packageFile('extension'),
): Promise<void> {
  const open: OpenEditor = (how) => {
    if (typeof how === 'function') throw new Error('A packed extension has an editor of its own.');
    return openWorkbench(browser, { ...how, version, vsix });
  };
  const { workbench } = await openSample(open, settings, {});
  try {
    await steps(workbench, await openInTab(workbench));
  } catch (error) {
    await workbench.keepEvidence(`packages-failed-${version}`);
    throw error;
  } finally {
    await workbench.close();
  }
}

describe.each([
  ['1.104', OLDEST_CODE_SERVER_VERSION],
  ['1.139', CODE_SERVER_VERSION],
])('the packed extension in VS Code %s', (name, version) => {
  it('shows a session, compacts it, and undoes it', async () => {
    await withEditor(version, {}, compactAndUndo(name));
  });
});

it('a memory strategy offers the encoder, which is installed from a file', async () => {
  await withEditor(CODE_SERVER_VERSION, { 'strata.compaction.strategy': 'a-mem' }, async (workbench, panel) => {
    await panel.getByRole('button', { name: 'Compact…' }).click();
    const offer = await workbench.waitForNotification(/needs the sentence encoder/);
    await workbench.takeScreenshot('packages-encoder-offer');
    await offer.getByRole('button', { name: 'Install…' }).click();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText(/Download the sentence encoder \(27 MB\) from /).waitFor();
    await workbench.takeScreenshot('packages-encoder-question');
    await dialog.getByRole('button', { name: 'From a File…' }).click();
    await chooseFile(workbench, packageFile('encoder'));
    await workbench.waitForNotification(/The sentence encoder is installed/);
    await panel.getByRole('button', { name: 'Compact…' }).click();
    await panel.getByRole('region', { name: 'What would change' }).waitFor({ timeout: 120_000 });
    await workbench.takeScreenshot('packages-encoder-used');
  });
});

it('a file that is not the encoder of this Strata is refused', async () => {
  await withEditor(CODE_SERVER_VERSION, {}, async (workbench) => {
    await workbench.runCommand('Strata: Install Sentence Encoder…');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByRole('button', { name: 'From a File…' }).click();
    await chooseFile(workbench, packageFile('library'));
    await workbench.waitForNotification(/This is not strata-context-encoder-.*: its checksum differs/);
  });
});

/** Runs before the extension is loaded. Removes from its API what some editors based on VS Code lack. */
const withoutLanguageApi = `
  const { Module } = require('node:module');
  const load = Module._load;
  const missing = new Set(['lm', 'chat']);
  Module._load = function (name, ...further) {
    const loaded = load.call(this, name, ...further);
    if (name !== 'vscode') return loaded;
    return new Proxy({ ...loaded }, { get: (api, key) => (missing.has(key) ? undefined : loaded[key]) });
  };
  module.exports = require('./main-itself.cjs');
`;

it('works in an editor without the API of language models and chat', async () => {
  const folder = temporaryFolder();
  await cp(join(packagesFolder, 'extension'), folder, { recursive: true });
  await rename(join(folder, 'dist/host/main.cjs'), join(folder, 'dist/host/main-itself.cjs'));
  await writeFile(join(folder, 'dist/host/main.cjs'), withoutLanguageApi);
  const vsix = join(temporaryFolder(), 'without.vsix');
  const unpublished = { allowMissingRepository: true, rewriteRelativeLinks: false };
  await createVSIX({ cwd: folder, packagePath: vsix, dependencies: false, ...unpublished });
  await withEditor(CODE_SERVER_VERSION, {}, compactAndUndo('without-language-api'), vsix);
});

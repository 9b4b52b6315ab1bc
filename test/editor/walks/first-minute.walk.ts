import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchChromium } from '../browser-editor/chromium.ts';
import { screenshotFolder, type Workbench } from '../browser-editor/workbench.ts';
import { projectFolder } from '../paths.ts';
import { type KeptProcess, keep, tailOf } from '../processes/keep.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { prepareSampleWorkspace } from '../sample-workspace.ts';
import { strata } from '../strata.ts';
import { type OpenEditor, walk } from '../walk.ts';

/** Walks with what a person sees in their first minute without asking for it. */

const EDITOR_TIMEOUT_MS = 60_000;
/** In milliseconds: everything may have to be built first. */
const START_TIMEOUT_MS = 120_000;

walk('npm start prints five lines, and the editor opens with the sample session and the walkthrough', async () => {
  const folder = temporaryFolder();
  const logFile = join(folder, 'start.log');
  await writeFile(logFile, '');
  const start = keep({
    command: 'npm',
    arguments: ['start', '--silent', '--', '--folder', folder],
    folder: projectFolder,
    environment: { ...process.env, STRATA_EDITOR: 'browser' },
    logFile,
  });
  await using _ending = { [Symbol.asyncDispose]: () => start.stop() };
  const address = await Promise.race([addressIn(logFile), failureOf(start, logFile)]);
  const lines = (await readFile(logFile, 'utf8')).trim().split('\n');
  assert.ok(lines.length <= 5, lines.join('\n'));
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(address);
    await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: EDITOR_TIMEOUT_MS });
    const editorUp = performance.now();
    await panelIn(page).getByRole('tree').waitFor({ timeout: EDITOR_TIMEOUT_MS });
    await page
      .locator('.gettingStartedDetailsContent h2', { hasText: 'Get Started with Strata' })
      .waitFor({ timeout: EDITOR_TIMEOUT_MS });
    const took = performance.now() - editorUp;
    console.log(`    session and walkthrough ${(took / 1000).toFixed(1)} s after the editor`);
    await mkdir(screenshotFolder, { recursive: true });
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(screenshotFolder, 'first-minute-start.png') });
  } finally {
    await browser.close();
  }
});

walk('a new installation offers the newest session of the folder with its fill level, once', async (openEditor) => {
  const workbench = await openNewcomer(openEditor);
  const offer = await workbench.waitForNotification(/newest session of pi in this folder fills \d+ % of its context/);
  await newestItem(workbench).waitFor();
  await workbench.takeScreenshot('first-minute-offer');
  assert.match(await newestItem(workbench).innerText(), /[\d.]+k · \d+ %/);
  await offer.getByRole('button', { name: 'Show' }).click();
  await workbench.sideBarWebview().getByRole('tree').waitFor();
  await newestItem(workbench).waitFor({ state: 'hidden' });
  await workbench.takeScreenshot('first-minute-shown');
});

walk('the fill level in the status bar opens the newest session of the folder', async (openEditor) => {
  const workbench = await openNewcomer(openEditor);
  await newestItem(workbench).click();
  await workbench.sideBarWebview().getByRole('tree').waitFor();
});

walk('no session is offered if the setting says so', async (openEditor) => {
  const workbench = await openNewcomer(openEditor, { 'strata.sessions.atStartup': 'none' });
  await workbench.runCommand('Strata: Show Log');
  await workbench.page.waitForTimeout(2000);
  assert.equal(await newestItem(workbench).count(), 0);
  await workbench.runCommand('Strata: Open Newest Session of This Folder');
  await workbench.sideBarWebview().getByRole('tree').waitFor();
});

async function failureOf(start: KeptProcess, logFile: string): Promise<never> {
  const code = await start.exited;
  throw new Error(`npm start ended with exit code ${code}:\n${tailOf(logFile)}`);
}

/** Waits until `npm start` has printed the editor's address and everything after it. */
async function addressIn(logFile: string): Promise<string> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const text = await readFile(logFile, 'utf8');
    const address = /^VS Code: (http\S+)\n.*Ctrl\+C/m.exec(text)?.[1];
    if (address !== undefined) return address;
    await sleep(100);
  }
  throw new Error(`npm start named no address within ${START_TIMEOUT_MS} ms:\n${tailOf(logFile)}`);
}

async function openNewcomer(openEditor: OpenEditor, settings = {}): Promise<Workbench> {
  return await openEditor(async (home) => {
    const sample = await prepareSampleWorkspace(join(home, 'sample'), { isOfThisFolder: true });
    const offering = { ...sample.settings, 'strata.sessions.atStartup': 'offer' };
    return { folder: sample.folder, settings: { ...offering, ...settings } };
  });
}

function newestItem({ page }: Workbench) {
  return page.locator(`.statusbar-item[id="${strata.identifier}.strata.newest"]`);
}

function panelIn(page: Page) {
  const outer = page.locator(`iframe.webview[src*="extensionId=${strata.identifier}"][src*="purpose=webviewView"]`);
  return outer.filter({ visible: true }).first().contentFrame().frameLocator('#active-frame');
}

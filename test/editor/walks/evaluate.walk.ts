import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FrameLocator } from 'playwright-core';
import { assertNoViolations } from '../accessibility.ts';
import type { Workbench } from '../browser-editor/workbench.ts';
import { openSample } from '../inspector.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { inEachTheme, themes } from '../themes.ts';
import { walk } from '../walk.ts';

/** Walks with the drift dashboard in a real editor: played, stopped, continued, read, exported and replayed. */

walk(
  'the study is shown without a run; the quick run is stopped, continues where it was, and shows the answers behind its numbers',
  async (openEditor) => {
    const userDataDir = temporaryFolder();
    const { workbench } = await openSample(openEditor, { 'workbench.colorTheme': themes.dark }, { userDataDir });
    const panel = await openEvaluation(workbench);
    await panel.getByRole('heading', { name: 'Does the goal survive a compaction?' }).waitFor();
    await assertNoViolations(panel, 'no results yet');
    await workbench.takeScreenshot('evaluate-empty');

    await panel.getByRole('button', { name: 'Show the study' }).click();
    await panel.getByText('ladder-without-model').first().waitFor({ state: 'attached' });
    await drawn(panel);
    await assertNoViolations(panel, 'the study');
    await workbench.takeScreenshot('evaluate-study');

    await quickRun(panel).click();
    await donePast(panel, 2);
    await workbench.takeScreenshot('evaluate-running');
    await workbench.runAndChoose('Strata: Evaluate…', 'Quick run');
    await workbench.waitForNotification(/Wait until this is done, or stop it/);
    await panel.getByRole('button', { name: 'Stop' }).click();
    await quickRun(panel).waitFor();
    await panel.getByText('ladder-without-model').first().waitFor({ state: 'detached' });
    await panel
      .getByText(/information survival/)
      .first()
      .waitFor();
    await workbench.takeScreenshot('evaluate-stopped');

    await quickRun(panel).click();
    const continued = await donePast(panel, 0);
    assert.ok(continued >= 3, 'What was played is not played again.');
    // All ways of the first task are on the dashboard then.
    await donePast(panel, continued + 8);
    await panel.getByRole('button', { name: 'Stop' }).click();
    await quickRun(panel).waitFor();
    await drawn(panel);

    await panel.locator('.point').first().click();
    await panel.getByRole('dialog').getByText('The current goal:').waitFor();
    await assertNoViolations(panel, 'what stands behind a point');
    await workbench.takeScreenshot('evaluate-probe');
    await panel.getByRole('button', { name: 'Close', exact: true }).click();

    const page = await exportPage(workbench, panel);
    assert.match(page, /id="strata-results"/);
    assert.match(page, /default-src 'none'/);
    await refusesDamaged(workbench, panel, userDataDir);

    await workbench.close();
    const again = await openEditor({ userDataDir, settings: { 'workbench.colorTheme': themes.dark } });
    const evaluation = await openEvaluation(again);
    await drawn(evaluation);
    await inEachTheme(again, evaluation, async (theme) => {
      await assertNoViolations(evaluation, theme);
      await again.takeScreenshot(`evaluate-${theme}`);
    });
    await takeNarrow(again);
  },
  { timeoutMs: 400_000 },
);

walk(
  'sessions of the person are replayed beside their agent’s own summary, and are only read',
  async (openEditor) => {
    const { workbench, session } = await openSample(openEditor);
    const untouched = await hashOf(session);
    await workbench.runCommand('View: Show Strata');
    const side = workbench.sideBarWebview();
    await side.locator('.opener').click();
    await side.getByRole('option').first().click();
    await side.getByRole('tree').waitFor();
    await workbench.runAndChoose('Strata: Evaluate…', 'On my sessions…');
    await workbench.chooseItem('All sessions');
    await side
      .getByText(/agent’s own summary|boundar/i)
      .first()
      .waitFor({ timeout: 120_000 });
    await quickRun(side).waitFor({ timeout: 120_000 });
    await workbench.takeScreenshot('evaluate-sessions-side-bar');
    await workbench.runCommand('View: Close Primary Side Bar');
    await workbench.runCommand('Strata: Open Inspector in Editor');
    const tab = workbench.editorWebview();
    await tab.getByRole('tab', { name: 'Evaluate' }).click();
    await tab.getByRole('heading', { name: 'Compactions by the agent' }).waitFor();
    await workbench.takeScreenshot('evaluate-sessions');
    await tab.locator('.boundary').first().click();
    await tab.getByRole('dialog').getByRole('heading', { name: 'What was needed and held' }).waitFor();
    await workbench.takeScreenshot('evaluate-boundary');
    assert.equal(await hashOf(session), untouched, 'The agent’s file is only read.');
  },
  { timeoutMs: 400_000 },
);

async function openEvaluation(workbench: Workbench): Promise<FrameLocator> {
  await workbench.runCommand('View: Close Primary Side Bar');
  await workbench.runCommand('Strata: Open Inspector in Editor');
  const panel = workbench.editorWebview();
  await panel.locator('.opener').waitFor();
  await focused(panel);
  await workbench.runAndChoose('Strata: Evaluate…', 'Open the dashboard');
  await panel.getByRole('heading', { name: 'Evaluate', exact: true }).waitFor();
  return panel;
}

/** Waits for the focus that a new tab takes a moment after it is drawn. It would close an open list of choices. */
async function focused(panel: FrameLocator): Promise<void> {
  const hasFocus = () => panel.locator('body').evaluate((body) => body.ownerDocument.hasFocus());
  for (let wait = 0; wait < 25 && !(await hasFocus()); wait += 1) await delay(200);
}

function quickRun(panel: FrameLocator) {
  return panel.getByRole('button', { name: 'Quick run' });
}

/** Waits until more units than that are done. Resolves to their number. */
async function donePast(panel: FrameLocator, least: number): Promise<number> {
  for (let wait = 0; wait < 900; wait += 1) {
    const said = await panel.locator('.progress').allInnerTexts();
    const [, done, of] = /(\d+) of (\d+)/.exec(said.join(' ')) ?? [];
    if (Number(of) > 0 && Number(done) > least) return Number(done);
    await delay(200);
  }
  return assert.fail('The run does not come on.');
}

/** Waits until the whole dashboard is shown with its numbers. */
async function drawn(panel: FrameLocator): Promise<void> {
  await panel.getByRole('heading', { name: /^Drift events: \d+ at \d+/ }).waitFor();
}

async function exportPage(workbench: Workbench, panel: FrameLocator): Promise<string> {
  const file = join(temporaryFolder(), 'results.html');
  await panel.locator('.buttons select').selectOption('html');
  await answerPath(workbench, file);
  for (let wait = 0; wait < 150 && !existsSync(file); wait += 1) await delay(200);
  return await readFile(file, 'utf8');
}

/**
 * Types a path into the dialog. The dialog inserts a path of its own once it has read the folder, whatever was typed
 * before. It then checks the typed path after a while, and Enter takes the path that it checked last.
 */
async function answerPath({ page }: Workbench, path: string): Promise<void> {
  const input = page.locator('.quick-input-widget .quick-input-box input');
  await input.waitFor();
  for (let wait = 0; wait < 150 && !(await input.inputValue()).startsWith('/'); wait += 1) await delay(200);
  for (let turn = 0; turn < 10 && (await input.isVisible()); turn += 1) {
    await input.fill(path);
    await delay(2_000);
    if ((await input.inputValue()) !== path) continue;
    await input.press('Enter');
    await delay(2_000);
  }
}

/** Asserts that damaged results are reported with their line, and that the shown results stay. */
async function refusesDamaged(workbench: Workbench, panel: FrameLocator, userDataDir: string): Promise<void> {
  const results = join(userDataDir, 'User/globalStorage/strata.strata/evaluation/quick/results.jsonl');
  const damaged = join(temporaryFolder(), 'damaged.jsonl');
  await copyFile(results, damaged);
  await appendFile(damaged, '{"kind":"unit","task":7}\n');
  await panel.getByRole('button', { name: 'Open results…' }).click();
  await answerPath(workbench, damaged);
  await panel.getByText(/damaged\.jsonl:\d+: this line is not a valid result/).waitFor();
  await drawn(panel);
  await workbench.takeScreenshot('evaluate-damaged');
}

async function takeNarrow(workbench: Workbench): Promise<void> {
  for (const width of [420, 320]) {
    await workbench.setViewport({ width, height: 900 });
    const widest = await settledWidth(workbench.editorWebview(), width);
    assert.ok(widest <= width, `The dashboard is ${widest} pixels wide in a view of ${width}.`);
    await workbench.takeScreenshot(`evaluate-${width}`);
  }
}

/** The width in pixels once the view has the layout for the new size. Until then it keeps the former width. */
async function settledWidth(panel: FrameLocator, width: number): Promise<number> {
  const measured = () => panel.locator('body').evaluate((body) => body.ownerDocument.documentElement.scrollWidth);
  for (let wait = 0; wait < 50 && (await measured()) > width; wait += 1) await delay(200);
  return await measured();
}

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

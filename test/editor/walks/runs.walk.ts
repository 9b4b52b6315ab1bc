import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { FrameLocator } from 'playwright-core';
import type { Workbench } from '../browser-editor/workbench.ts';
import { compactAll, gaugeLabel, openInTab, openNewestRun, openSample, tokensIn } from '../inspector.ts';
import { takeInEachTheme, themes } from '../themes.ts';
import { walk } from '../walk.ts';

/** Walks that show that one Apply is one compaction: in the list, on the chart, in the counts and in undo. */

walk('a run of several blocks is one compaction in every place, and is undone as one', async (openEditor) => {
  const { workbench, session } = await openSample(openEditor, {
    'workbench.colorTheme': themes.dark,
    'strata.compaction.strategy': 'ladder',
    'strata.summarizer.kind': 'none',
  });
  const untouched = await readFile(session, 'utf8');
  const panel = await openInTab(workbench);
  const before = await gaugeLabel(panel);
  await workbench.runCommand('View: Close Primary Side Bar');

  const promised = await previewed(panel, workbench, 'runs-preview');
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('button', { name: /^Undo: compaction #1$/ }).waitFor();
  assert.equal(tokensIn(await gaugeLabel(panel)), promised);
  const once = await gaugeLabel(panel);
  assert.ok(tokensIn(once) < 0.6 * tokensIn(before), 'A run ends at its target: about half is left.');

  await panel.getByRole('button', { name: 'Compact…' }).click();
  await panel.getByRole('region', { name: 'What would change' }).waitFor();
  await choose(panel, 'Strategy', /Pipeline/);
  const promisedNext = await previewed(panel, workbench, 'runs-preview-next');
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('button', { name: /^Undo: compaction #(?!1$)\d+$/ }).waitFor();
  assert.equal(tokensIn(await gaugeLabel(panel)), promisedNext);

  await openNewestRun(panel);
  assert.equal(await panel.locator('[data-compaction]').count(), 3, 'Two runs, and the agent’s own compaction.');
  await panel.getByRole('tab', { name: 'Compactions 3', exact: true }).waitFor();
  await panel.getByRole('img', { name: /3 compactions.* After 3 compactions,/ }).waitFor();
  await takeInEachTheme(workbench, panel, 'runs');
  await workbench.setViewport({ width: 300, height: 900 });
  await workbench.page.waitForTimeout(1000);
  await workbench.takeScreenshot('runs-300');
  await workbench.setViewport({ width: 1280, height: 800 });

  await panel.locator('[data-compaction]').first().click();
  await panel.getByRole('button', { name: /^Undo: compaction #(?!1$)\d+$/ }).click();
  await panel.getByRole('button', { name: /^Undo: compaction #1$/ }).waitFor();
  assert.equal(await gaugeLabel(panel), once);
  await panel.getByRole('tab', { name: 'Compactions 2', exact: true }).waitFor();
  await workbench.takeScreenshot('runs-undone');
  await panel.getByRole('button', { name: /^Undo: compaction #1$/ }).click();
  await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();
  assert.equal(await gaugeLabel(panel), before);
  assert.equal(await readFile(session, 'utf8'), untouched, 'The agent’s file is only read.');
  assert.deepEqual(await workbench.errorNotifications(), []);
});

walk('undoing a run that another lies over asks first, and names it', async (openEditor) => {
  const { workbench } = await openSample(openEditor, { 'strata.compaction.strategy': 'tool-calls' });
  const panel = await openInTab(workbench);
  await compactAll(panel);
  await panel.getByRole('button', { name: 'Compact…' }).click();
  await panel.getByRole('region', { name: 'What would change' }).waitFor();
  await choose(panel, 'Strategy', /Pipeline/);
  await panel.getByRole('button', { name: 'Preview again' }).last().click();
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('button', { name: /^Undo: compaction #[^1]/ }).waitFor();
  await panel.getByRole('tab', { name: /Compactions/ }).click();
  await panel.getByRole('button', { name: /#1 Tool calls/ }).click();
  await panel.getByRole('button', { name: 'Undo', exact: true }).click();
  const dialog = workbench.page.locator('.monaco-dialog-box');
  await dialog.getByText('Undo compaction #1?').waitFor();
  await dialog.getByText(/It was replaced by compaction #\d+/).waitFor();
  await workbench.takeScreenshot('walk-undo-asks');
  await dialog.getByRole('button', { name: 'Undo All' }).click();
  await panel.getByRole('button', { name: /^Redo: 2 compactions/ }).waitFor();
});

/** Takes a picture of the preview, and returns the size that it promises. */
async function previewed(panel: FrameLocator, workbench: Workbench, picture: string): Promise<number> {
  const again = panel.getByRole('button', { name: 'Preview again' }).last();
  if (await again.isVisible()) await again.click();
  else await panel.getByRole('button', { name: 'Compact…' }).click();
  const result = panel.getByRole('region', { name: 'What would change' });
  await result.getByRole('heading', { name: /^Saves .* tokens: / }).waitFor();
  await workbench.takeScreenshot(picture);
  const after = await result.locator('dl > dd.text-end').last().innerText();
  return tokensIn(after.replace(/\s.*/, ' of 200k'));
}

async function choose(panel: FrameLocator, field: string, option: RegExp): Promise<void> {
  if (!(await panel.getByRole('combobox', { name: field }).isVisible())) {
    await panel.getByRole('button', { name: /all old turns/ }).click();
  }
  await panel.getByRole('combobox', { name: field }).click();
  await panel.getByRole('option', { name: option }).first().click();
}

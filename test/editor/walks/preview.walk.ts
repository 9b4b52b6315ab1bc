import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import type { Workbench } from '../browser-editor/workbench.ts';
import { openInSideBar, openInTab, openSample, rows } from '../inspector.ts';
import { takeInEachTheme, themes } from '../themes.ts';
import { walk } from '../walk.ts';

/** Walks with what a preview shows before it is applied. */

walk(
  'a preview marks what would go, reads as the model will read it, and fits into the side bar',
  async (openEditor) => {
    const { workbench } = await openSample(openEditor, {
      'workbench.colorTheme': themes.dark,
      'strata.summarizer.kind': 'none',
    });
    await workbench.runCommand('View: Close Primary Side Bar');
    const panel = await openInTab(workbench);
    const result = await preview(panel);
    await panel.getByRole('tree').press('Home');
    await rows(panel, /would be compacted/)
      .first()
      .waitFor();
    assert.ok((await panel.locator('.minimap .going').count()) > 0, 'The minimap marks nothing.');
    await result.getByRole('region', { name: 'As the model will read it' }).first().waitFor();
    await takeInEachTheme(workbench, panel, 'preview');

    await panel.getByRole('button', { name: 'Compare with what it replaces' }).first().click();
    const before = await panel.getByRole('region', { name: 'Before and after' }).first().innerText();
    assert.doesNotMatch(before, /\{"(?:path|command|file_path)":/, 'The diff is between texts.');

    await panel.getByRole('button', { name: 'Close', exact: true }).click();
    await rows(panel, /would be compacted/)
      .first()
      .waitFor({ state: 'detached' });
    await workbench.runCommand('View: Close Editor');
    await fitsIntoSideBar(workbench);
  },
);

/** Checks that the result of a preview is on screen in the side bar without scrolling. */
async function fitsIntoSideBar(workbench: Workbench): Promise<void> {
  const panel = await openInSideBar(workbench);
  const result = await preview(panel);
  const bottom = await panel
    .getByRole('button', { name: 'Apply' })
    .evaluate((each) => each.getBoundingClientRect().top);
  for (const part of [
    result.getByRole('heading', { name: /^Saves .* tokens/ }),
    result.getByRole('region', { name: 'What the context would keep of it' }),
  ]) {
    const end = await part.evaluate((each) => each.getBoundingClientRect().bottom);
    assert.ok(end < bottom, `It ends at ${end}, the buttons begin at ${bottom}.`);
  }
  await workbench.takeScreenshot('preview-side-bar');
  await panel.getByRole('button', { name: /^Pipeline · all old turns/ }).click();
  await panel.getByRole('combobox', { name: 'Strategy' }).waitFor();
  await workbench.takeScreenshot('preview-side-bar-settings');
}

async function preview(panel: FrameLocator) {
  await panel.getByRole('button', { name: 'Compact…' }).click();
  const result = panel.getByRole('region', { name: 'What would change' });
  await result.waitFor();
  return result;
}

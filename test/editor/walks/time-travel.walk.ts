import assert from 'node:assert/strict';
import type { Workbench } from '../browser-editor/workbench.ts';
import { compactAll, gaugeLabel, openInSideBar, openInTab, openSample, rows } from '../inspector.ts';
import { walk } from '../walk.ts';

/** Walks in which the panel shows the session at one of its past moments, and returns to now. */

walk('slider and chart lead through the moments of a session, and a bar back to now', async (openEditor) => {
  const { workbench } = await openSample(openEditor);
  const panel = await openInTab(workbench);
  const now = await gaugeLabel(panel);
  const newest = await panel.getByRole('treeitem').last().innerText();
  await panel.getByRole('tab', { name: /^Compactions/ }).click();
  const slider = panel.getByRole('slider', { name: 'Moment of the session' });
  assert.equal(await slider.getAttribute('aria-valuetext'), 'Now');

  await slider.focus();
  for (let step = 0; step < 5; step += 1) await slider.press('PageDown');
  const bar = panel.getByRole('region', { name: 'Another moment is shown' });
  await bar.getByText(/As it was at turn \d+/).waitFor();
  assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^turn \d+/);
  assert.match((await gaugeLabel(panel)) ?? '', /^Then: /);
  assert.notEqual(await panel.getByRole('treeitem').last().innerText(), newest);
  assert.equal(await panel.getByRole('button', { name: 'Nothing to undo' }).isDisabled(), true);
  await bar.getByRole('button', { name: 'Fork from here' }).waitFor();
  await workbench.takeScreenshot('time-travel');

  await slider.press('Home');
  await bar.getByText(/As it was at turn 1,/).waitFor();
  await slider.press('Escape');
  await bar.waitFor({ state: 'detached' });
  assert.equal(await gaugeLabel(panel), now);
  assert.equal(await panel.getByRole('treeitem').last().innerText(), newest);
  await workbench.runCommand('View: Close Editor');
  await dragInSideBar(workbench);
});

/** Drags along the chart in the side bar, which has a bar with a slider of its own. */
async function dragInSideBar(workbench: Workbench): Promise<void> {
  const panel = await openInSideBar(workbench);
  await compactAll(panel);
  await panel.getByRole('tab', { name: /^Compactions/ }).click();
  const plot = panel.locator('.u-over');
  await plot.waitFor();
  const box = await plot.boundingBox();
  assert.ok(box);
  const at = (share: number) => [box.x + box.width * share, box.y + box.height * 0.2] as const;
  await workbench.page.mouse.move(...at(0.8));
  await workbench.page.mouse.down();
  for (const share of [0.7, 0.6, 0.5, 0.4]) await workbench.page.mouse.move(...at(share));
  await workbench.page.mouse.up();
  const bar = panel.getByRole('region', { name: 'Another moment is shown' });
  await bar.getByText(/As it was at turn/).waitFor();
  await workbench.takeScreenshot('time-travel-side-bar');

  await panel.getByRole('tab', { name: 'Timeline' }).click();
  await bar.getByRole('slider').waitFor();
  await rows(panel, /turn/).first().waitFor();
  await bar.getByRole('button', { name: 'Back to now' }).click();
  await bar.waitFor({ state: 'detached' });
}

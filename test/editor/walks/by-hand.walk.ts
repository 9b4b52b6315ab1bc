import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import { compactAll, gaugeLabel, openGoalBatch, openInTab, openSample, pressInRow, rows } from '../inspector.ts';
import { walk } from '../walk.ts';

/** Walks with changes that a person makes by hand, on a real session. */

walk('words are found, a message is excluded and restored, and an item of the core is edited', async (openEditor) => {
  const { workbench } = await openSample(openEditor);
  const panel = await openInTab(workbench);
  const before = await gaugeLabel(panel);

  await panel.getByRole('tree').focus();
  await panel.getByRole('tree').press('Control+f');
  const words = panel.locator('search input').first();
  await words.fill('lobotimized');
  await rows(panel, /lobotimized/)
    .first()
    .waitFor();
  await panel
    .getByText(/^\d+ of \d+$|^\d+ rows?$/)
    .first()
    .waitFor();
  await workbench.takeScreenshot('walk-search');
  await words.press('Escape');
  await words.press('Escape');

  const call = rows(panel, /grep -n "fileComm/).first();
  await call.click();
  const mark = rows(panel, /^excluded/).first();
  await pressInRow(call, 'Exclude from the context', mark);
  assert.notEqual(await gaugeLabel(panel), before);
  await workbench.takeScreenshot('walk-excluded');
  await pressInRow(mark, 'Restore to the context', panel.getByRole('button', { name: 'Nothing to undo' }));
  await call.waitFor();
  assert.equal(await gaugeLabel(panel), before);

  await workbench.runAndChoose('Strata: Pin…', 'Pin a constraint');
  await workbench.answer('Keep the API.');
  await panel.getByRole('tab', { name: /Core/ }).click();
  await panel
    .getByRole('button', { name: /^Edit: / })
    .first()
    .click();
  await panel.locator('textarea').first().fill('Keep the public API.');
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await panel.getByText('Keep the public API.').first().waitFor();
  await panel.locator('summary').filter({ hasText: 'History' }).first().click();
  await panel
    .getByText(/Keep the API\./)
    .first()
    .waitFor();
  await workbench.takeScreenshot('walk-core-history');
});

walk('what was lost is put back into a block, its text is changed, and the chart shows it', async (openEditor) => {
  const { workbench } = await openSample(openEditor);
  const panel = await openInTab(workbench);
  await compactAll(panel);
  await panel.getByRole('tab', { name: /Compactions/ }).click();
  const chart = panel.getByRole('img', { name: /Tokens of the context over the session/ });
  await chart.waitFor();
  assert.match((await chart.getAttribute('aria-label')) ?? '', /your first/);
  await openGoalBatch(panel);
  await panel.getByRole('heading', { name: /^What became of/ }).waitFor();

  const lost = await lostIn(panel);
  assert.ok(lost > 0);
  await panel
    .getByRole('button', { name: /^Put back / })
    .first()
    .click();
  await panel.getByText('edited by hand').first().waitFor();
  await workbench.page.waitForTimeout(500);
  assert.ok((await lostIn(panel)) < lost, 'Less is lost.');
  await workbench.takeScreenshot('walk-put-back');

  await panel.getByRole('button', { name: 'Edit text' }).click();
  await panel.locator('textarea').fill('Changed by a person.');
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await panel.locator('textarea').waitFor({ state: 'detached' });
  await panel.getByText('Changed by a person.').first().waitFor();
  assert.deepEqual(await workbench.errorNotifications(), []);
});

walk('a compaction up to a turn is changed in its preview and applied as it was changed', async (openEditor) => {
  const { workbench } = await openSample(openEditor);
  const panel = await openInTab(workbench);
  await panel.getByRole('tree').focus();
  await panel.getByRole('tree').press('Home');
  const turn = rows(panel, /^turn 15, user/);
  await scrollTo(panel, turn);
  await pressInRow(turn, 'Compact up to here…', panel.getByText(/Only up to turn 14/).first());
  await panel.getByRole('region', { name: 'What would change' }).waitFor();
  await panel.getByRole('button', { name: 'Edit text' }).last().click();
  await panel.locator('textarea').last().fill('Said in my own words.');
  await panel.getByRole('button', { name: 'Save', exact: true }).click();
  await panel.getByText('Said in my own words.').first().waitFor();
  await workbench.takeScreenshot('walk-range-preview');
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
  await turn.waitFor();
});

/** Number of items of the open compaction that can be put back. */
async function lostIn(panel: FrameLocator): Promise<number> {
  return await panel.getByRole('button', { name: /^Put back / }).count();
}

/** Scrolls down the list until the row is shown. */
async function scrollTo(panel: FrameLocator, row: Locator): Promise<void> {
  for (let page = 0; page < 30 && !(await row.isVisible()); page += 1) {
    await panel.getByRole('tree').press('PageDown');
  }
  await row.click();
}

import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { strategyNames } from '../../builders/strategy-names.ts';
import { gaugeLabel, openInTab, openSample, rows } from '../inspector.ts';
import { message } from '../session-records.ts';
import { walk } from '../walk.ts';

/** Walks with all strategies side by side, and with proposals for the core. */

walk('all strategies are compared on a real session, and one of them is applied', async (openEditor) => {
  const { workbench } = await openSample(openEditor);
  await workbench.runCommand('View: Close Primary Side Bar');
  const panel = await openInTab(workbench);
  const before = await gaugeLabel(panel);
  await workbench.runCommand('Strata: Compare Strategies');
  await panel.getByRole('button', { name: 'Compare again' }).waitFor({ timeout: 120_000 });
  assert.equal(await panel.locator('tr.strategy').count(), 5);
  await panel.getByRole('button', { name: 'All strategies' }).click();
  await panel
    .locator('tr.strategy')
    .nth(strategyNames.length - 1)
    .waitFor();
  await panel.getByRole('button', { name: 'Compare again' }).waitFor({ timeout: 120_000 });
  assert.equal(await panel.locator('tr.strategy').count(), strategyNames.length);
  assert.equal(await gaugeLabel(panel), before, 'A comparison changes nothing.');
  await workbench.setViewport({ width: 1280, height: 800 });
  const hidden = await panel.locator('table').evaluate((table) => {
    const room = table.parentElement?.getBoundingClientRect();
    return table.getBoundingClientRect().right - (room?.right ?? 0);
  });
  assert.ok(hidden <= 1, `${hidden} pixels of the table are out of sight.`);
  await workbench.takeScreenshot('walk-comparison');

  await panel.getByRole('button', { name: 'Preview Checkpoint' }).click();
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('button', { name: /^Undo: compaction #/ }).waitFor();
  assert.notEqual(await gaugeLabel(panel), before);
  await panel.getByRole('tree').focus();
  await panel.getByRole('tree').press('Home');
  await rows(panel, /^summary, .* replaces/)
    .first()
    .waitFor();
  await workbench.takeScreenshot('walk-checkpoint');
});

walk(
  'proposals for the core are in the context only after they are accepted, and a handoff is drafted',
  async (openEditor) => {
    const { workbench, session } = await openSample(openEditor);
    const rule = 'Run the whole test suite before you commit anything.';
    await appendFile(session, message('user', `/remember ${rule}`) + message('user', '/goal Ship the session picker.'));
    const panel = await openInTab(workbench);
    await panel.getByRole('tab', { name: /Core/ }).click();
    await panel.getByRole('button', { name: 'Propose goals and constraints' }).click();
    await panel
      .getByRole('button', { name: /^Refuse: / })
      .first()
      .click();
    await panel
      .getByRole('button', { name: /^Accept: / })
      .first()
      .click();
    await workbench.takeScreenshot('walk-proposals');
    await panel.getByRole('tree').focus();
    await panel.getByRole('tree').press('Home');
    await rows(panel, /^core/).waitFor();

    await workbench.runCommand('Strata: Hand Off…');
    await workbench.answer('Write the release notes.');
    await workbench.page.locator('.view-lines').getByText('Write the release notes.').waitFor();
    await workbench.takeScreenshot('walk-handoff');
  },
);

import assert from 'node:assert/strict';
import { readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { gaugeLabel, gauges, goToTop, openInSideBar, openSample } from '../inspector.ts';
import { takeInEachTheme, themes } from '../themes.ts';
import { walk } from '../walk.ts';

/** Walks with forks, which show what they are and link to their original. */

walk('a fork shows its blocks in the promised size, its original, and the way back', async (openEditor) => {
  const { workbench, session } = await openSample(openEditor, { 'workbench.colorTheme': themes.dark });
  await moveHere(session);
  const panel = await openInSideBar(workbench);
  await panel.getByRole('button', { name: 'Compact…' }).click();
  await panel.getByRole('region', { name: 'What would change' }).waitFor();
  await panel.getByText('Takes effect in a fork: pi itself continues with its own context').waitFor();
  await workbench.takeScreenshot('fork-preview');
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
  const promised = sizeIn(await gauges(panel).last().getAttribute('aria-label'));
  await goToTop(panel);
  const blocks = await tagsIn(panel);
  await workbench.takeScreenshot('fork-before');

  await panel.getByRole('button', { name: 'Fork and resume' }).click();
  // pi is not installed in the editor of this test.
  await workbench.waitForNotification(/pi could not be started: the terminal cannot run “pi”/);
  // An earlier walk may have left a hidden terminal in the same editor.
  await workbench.page.locator('.terminal-wrapper').filter({ visible: true }).first().waitFor();
  await workbench.takeScreenshot('fork-and-resume');
  const related = panel.getByRole('navigation', { name: 'Related sessions' });
  await related.getByRole('button', { name: /^Fork of “/ }).waitFor();
  await goToTop(panel);
  assert.equal(await gauges(panel).count(), 1, 'A fork has what it shows.');
  assert.equal(sizeIn(await gaugeLabel(panel)), promised);
  assert.deepEqual(await tagsIn(panel), blocks);
  await workbench.takeScreenshot('fork-opened');
  await panel.locator('.stratum', { hasText: '[GOAL BATCH]' }).first().click();
  await workbench.takeScreenshot('fork-block');
  await panel.getByRole('tab', { name: /Compactions/ }).click();
  await panel.getByText('by Strata, as this fork began').first().waitFor();
  await workbench.takeScreenshot('fork-compactions');

  await panel.getByRole('tab', { name: 'Core' }).click();
  await panel.getByText('pi may drop them when it compacts by itself').waitFor();
  await workbench.takeScreenshot('fork-core');
  await panel.locator('.opener').click();
  await panel.getByRole('option').first().waitFor();
  await workbench.takeScreenshot('fork-listed');
  await panel.getByPlaceholder('Search by title, agent or folder').press('Escape');

  await related.getByRole('button', { name: /^Fork of “/ }).click();
  await related.getByText('1 fork').click();
  await takeInEachTheme(workbench, panel, 'fork-original');
  await related.getByRole('button', { name: /\(fork\)$/ }).click();
  await related.getByRole('button', { name: /^Fork of “/ }).waitFor();
});

function sizeIn(label: string | null): string {
  return label?.match(/([\d.]+[kM]?) of/)?.[1] ?? '';
}

async function tagsIn(panel: FrameLocator): Promise<string[]> {
  // The core, the agent's earlier summary, and the goal batch.
  await panel.locator('.stratum').nth(2).waitFor();
  return await panel.locator('.stratum .tag').allInnerTexts();
}

/** Moves the session to an existing folder, because a terminal can open only there. */
async function moveHere(session: string): Promise<void> {
  const { atime, mtime } = await stat(session);
  const [header = '', ...lines] = (await readFile(session, 'utf8')).split('\n');
  await writeFile(session, [JSON.stringify({ ...JSON.parse(header), cwd: dirname(session) }), ...lines].join('\n'));
  await utimes(session, atime, mtime);
}

import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { assertNoViolations } from '../accessibility.ts';
import type { Settings } from '../browser-editor/settings.ts';
import type { Workbench } from '../browser-editor/workbench.ts';
import { compactAll, openInTab, openSample } from '../inspector.ts';
import { bringClaude } from '../programs.ts';
import { type OpenEditor, walk } from '../walk.ts';

/**
 * Walks in which a model is asked what it knows before and after a compaction. A program replaces an agent's command.
 */

walk('the same questions with both contexts show what a compaction takes away', async (openEditor) => {
  const { workbench, panel } = await openWithCommand(openEditor);
  await panel.getByRole('button', { name: 'Compact…' }).click();
  await panel.getByRole('button', { name: 'Preview', exact: true }).click();
  await agree(workbench);
  await panel.getByText('Written by claude -p (haiku)', { exact: true }).waitFor();
  await panel.getByRole('button', { name: /Ask both/ }).click();
  await panel.getByText(/claude -p \(haiku\) would read about [\d.]+k tokens/).waitFor();
  await panel.getByRole('textbox', { name: /Questions of your own/ }).fill('Which colour has the cursor?');
  await panel.getByRole('button', { name: 'Ask 4 questions' }).click();
  await workbench.page.getByText(/The whole context is sent there/).waitFor();
  await workbench.takeScreenshot('walk-ask-consent');
  await agree(workbench);
  await panel.getByText(/Answered by claude/).waitFor();
  await panel.locator('del', { hasText: 'no inline imports' }).waitFor();
  assert.equal(await panel.getByText('The same answer from both:').count(), 3);
  assert.equal(await panel.getByText(/the model declined to answer/).count(), 2);
  await panel.getByRole('region', { name: 'Ask both' }).evaluate((element) => element.scrollIntoView());
  await workbench.takeScreenshot('walk-ask-both');
  await assertNoViolations(panel, 'questions before and after');
});

walk('a block without a model is written again by the command of an agent, and put back', async (openEditor) => {
  const { workbench, panel } = await openWithCommand(openEditor, { 'strata.summarizer.kind': 'none' });
  await compactAll(panel);
  await panel.getByRole('tab', { name: /Compactions/ }).click();
  await panel.locator('[data-compaction="run:1"]').click();
  await panel.locator('[data-block="strata:1"]').click();
  const block = panel.locator('li', { has: panel.locator(':scope > [data-block="strata:1"]') });
  await block.getByText('written by Strata, without a model').waitFor();
  await panel.getByRole('button', { name: 'Write again with …' }).click();
  await workbench.chooseItem('Claude Code');
  await agree(workbench);
  const both = panel.getByRole('region', { name: 'Written again', exact: true });
  await both.getByText(/written by claude -p \(haiku\)/).waitFor();
  await both
    .getByText(/tool outputs? (?:is|are) replaced/)
    .nth(1)
    .waitFor();
  await both.evaluate((element) => element.scrollIntoView());
  await workbench.takeScreenshot('walk-write-again');
  await assertNoViolations(panel, 'a block written again');
  await both.getByRole('button', { name: 'Keep the new text' }).click();
  await block.getByText('written by claude -p (haiku)').first().waitFor();
  await panel.getByRole('button', { name: 'Put the earlier text back' }).click();
  await block.getByText('written by Strata, without a model').waitFor();
});

/** Opens the inspector with the sample session, and with a program called `claude` on the path as the summarizer. */
async function openWithCommand(
  openEditor: OpenEditor,
  others: Settings = {},
): Promise<{ workbench: Workbench; panel: FrameLocator }> {
  const settings = {
    'strata.compaction.strategy': 'tool-calls',
    'strata.summarizer.kind': 'command',
    'strata.summarizer.command.agent': 'claude',
    ...others,
  };
  const { workbench } = await openSample(openEditor, settings, bringClaude);
  return { workbench, panel: await openInTab(workbench) };
}

async function agree({ page }: Workbench): Promise<void> {
  await page.getByRole('button', { name: 'Use This Model' }).click();
}

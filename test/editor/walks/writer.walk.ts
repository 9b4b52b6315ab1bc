import assert from 'node:assert/strict';
import { openInTab, openSample } from '../inspector.ts';
import { bringClaude } from '../programs.ts';
import { takeInEachTheme, themes } from '../themes.ts';
import { walk } from '../walk.ts';

/** Walks with the question who writes the summaries at the first preview, and with the button beside Compact. */

walk("the first preview asks who writes, and the session's own agent does so from then on", async (openEditor) => {
  const settings = { 'strata.compaction.strategy': 'tool-calls' };
  const { workbench } = await openSample(openEditor, settings, bringClaude);
  const panel = await openInTab(workbench);
  await panel.getByRole('button', { name: /^written without a model/ }).waitFor();
  await panel.getByRole('button', { name: 'Compact…' }).click();
  const question = panel.getByRole('group', { name: 'Who writes the summaries?' });
  const agent = question.getByRole('radio', { name: /Claude Code/ });
  await agent.waitFor();
  assert.ok(await agent.isChecked(), 'The first answer that works is chosen beforehand.');
  await question
    .getByText(/a compaction: up to .* uses your sign-in/)
    .first()
    .waitFor();
  await question.getByText('the text goes to the provider of Claude Code').first().waitFor();
  await workbench.takeScreenshot('walk-writer-question');
  await question.getByRole('button', { name: 'Use it' }).click();
  await panel.getByText('says the command').first().waitFor();
  await panel.getByRole('button', { name: /^written by Claude Code \(haiku\)/ }).waitFor();
  await question.waitFor({ state: 'detached' });
  await workbench.takeScreenshot('walk-writer-answered');
});

walk('one click beside Compact changes who writes', async (openEditor) => {
  const claude = { 'strata.summarizer.kind': 'command', 'strata.summarizer.command.agent': 'claude' };
  const { workbench } = await openSample(openEditor, { ...claude, 'workbench.colorTheme': themes.dark });
  await workbench.runCommand('View: Close Primary Side Bar');
  const panel = await openInTab(workbench);
  const writer = panel.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: /^written / });
  await writer.filter({ hasText: 'written by Claude Code (haiku)' }).click();
  await workbench.page.getByPlaceholder('Choose what writes the summaries').waitFor();
  await workbench.takeScreenshot('walk-writer-picker');
  await workbench.chooseItem('No model');
  await writer.filter({ hasText: 'written without a model' }).waitFor();
  await takeInEachTheme(workbench, panel, 'walk-writer');
  await workbench.setViewport({ width: 460, height: 800 });
  await panel.locator('.strip .writer').waitFor();
  await workbench.takeScreenshot('walk-writer-narrow');
});

import assert from 'node:assert/strict';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import {
  type Behaviour,
  fails,
  type ModelServer,
  says,
  startModelServer,
} from '../../builders/scripted-model-server.ts';
import { openInTab, openSample } from '../inspector.ts';
import { projectFolder } from '../paths.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { bringClaude } from '../programs.ts';
import { walk } from '../walk.ts';

/** Walks with summaries by models: over HTTP on loopback, and by a model of VS Code. */

const summary = [
  '## Strategy',
  'I read the renderer before I changed it.',
  '## Operations',
  '- **read** | Inputs: path=src/tui.ts | Outcome: success',
  '## Status',
  'COMPLETE — the server has spoken.',
].join('\n');

walk(
  'a server that fails is said so with its call; then it writes the summaries, and their cost is shown',
  async (openEditor) => {
    using server = await serving(fails(401, 'This key is not known here.'), says(summary));
    const { workbench } = await openSample(openEditor, serverSettings(server.baseUrl));
    const panel = await openInTab(workbench);
    await previewWithModel(panel, 'scripted');
    await panel
      .getByText(/401.*This key is not known here/)
      .first()
      .waitFor();
    await workbench.takeScreenshot('walk-model-failed');
    await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();

    await previewButton(panel).click();
    await panel.getByText('Written by scripted', { exact: true }).waitFor();
    await panel.getByText('the server has spoken').first().waitFor();
    assert.match(JSON.stringify(server.asked.at(-1)?.body), /--- Operation 1 ---/);
    await workbench.takeScreenshot('walk-model-preview');
    await panel.getByRole('button', { name: 'Apply' }).click();
    await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
  },
);

walk(
  'a compared strategy is written by the chosen model on request, and applied without another call',
  async (openEditor) => {
    using server = await serving(says(summary));
    const { workbench } = await openSample(openEditor, serverSettings(server.baseUrl));
    const panel = await openInTab(workbench);
    await workbench.runCommand('Strata: Compare Strategies');
    await panel.getByRole('button', { name: 'Compare again' }).waitFor({ timeout: 120_000 });
    const write = panel.getByRole('button', { name: 'Write it with scripted: Tool calls' });
    await write.waitFor();
    await panel
      .getByText(/^up to .* tokens read, about .* written$/)
      .first()
      .waitFor();
    assert.equal(server.asked.length, 0);

    await write.click();
    await panel.getByText(/^written by scripted with .* tokens$/).waitFor();
    const calls = server.asked.length;
    assert.ok(calls > 0);
    await workbench.takeScreenshot('walk-compared-written');
    await panel.getByRole('button', { name: 'Compare with the result without a model' }).click();
    await panel.getByRole('heading', { name: 'Tool calls by scripted' }).waitFor();
    await panel.getByText('the server has spoken').first().waitFor();
    await workbench.takeScreenshot('walk-compared-beside');

    await panel.getByRole('button', { name: 'Preview Tool calls by scripted' }).click();
    await panel.getByText('Written by scripted', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Apply' }).click();
    await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
    assert.equal(server.asked.length, calls);
  },
);

walk('a model of VS Code writes the summaries once a person has agreed', async (openEditor) => {
  const extensionsDir = temporaryFolder();
  const model = 'test/editor/extensions/scripted-model';
  await cp(join(projectFolder, model), join(extensionsDir, 'strata-test.scripted-model-0.0.1'), { recursive: true });
  const settings = { 'strata.compaction.strategy': 'tool-calls' };
  const { workbench } = await openSample(openEditor, settings, { extensionsDir });
  const panel = await openInTab(workbench);
  await workbench.runCommand('Strata: Choose Summarizer…');
  await workbench.takeScreenshot('walk-choose-summarizer');
  await workbench.chooseItem('Scripted One');
  await workbench.page.getByRole('button', { name: 'Use This Model' }).click();
  await previewWithModel(panel, 'scripted-1');
  await panel.getByText('Written by scripted-1', { exact: true }).waitFor();
  await panel.getByText('the scripted model has spoken').first().waitFor();
  await workbench.takeScreenshot('walk-vscode-model');
});

walk('the command of an agent writes the summaries once a person has agreed', async (openEditor) => {
  const settings = { 'strata.compaction.strategy': 'tool-calls' };
  let home = '';
  const { workbench } = await openSample(openEditor, settings, async (filled) => {
    home = filled;
    await bringClaude(home);
  });
  const panel = await openInTab(workbench);
  await workbench.runCommand('Strata: Choose Summarizer…');
  await workbench.page
    .getByText('Choose what writes the summaries')
    .or(workbench.page.getByPlaceholder('Choose what writes the summaries'))
    .first()
    .waitFor();
  await workbench.takeScreenshot('walk-choose-command');
  await workbench.chooseItem('Claude Code');
  await workbench.page.getByText(/Strata starts `claude -p` on this machine/).waitFor();
  await workbench.takeScreenshot('walk-command-consent');
  await workbench.page.getByRole('button', { name: 'Use This Model' }).click();
  await previewWithModel(panel, 'Claude Code (haiku)');
  await panel.getByText('Written by claude -p (haiku)', { exact: true }).waitFor();
  await panel.getByText('says the command').first().waitFor();
  await panel
    .getByText(/^written by claude -p \(haiku\) with [\d.]+k? tokens$/)
    .first()
    .waitFor();
  await workbench.takeScreenshot('walk-command-preview');
  assert.match(await readFile(join(home, 'prompt'), 'utf8'), /--- Operation 1 ---/);
  assert.doesNotMatch(await readFile(join(home, 'arguments'), 'utf8'), /Operation|src\//);
});

/** Closes with the walk, even if the walk fails: an open server would keep the process alive. */
async function serving(...behaviours: readonly Behaviour[]): Promise<ModelServer & Disposable> {
  const server = await startModelServer(...behaviours);
  return { ...server, [Symbol.dispose]: () => server.close() };
}

function serverSettings(baseUrl: string) {
  return {
    'strata.summarizer.kind': 'openai',
    'strata.summarizer.openai.baseUrl': baseUrl,
    'strata.summarizer.openai.model': 'scripted',
    'strata.compaction.strategy': 'tool-calls',
  };
}

/**
 * Makes a preview with a model, which a person has to start. `writer`: the name that the panel shows as the writer. If
 * the panel was faster than the settings, it has made a preview without the model first.
 */
async function previewWithModel(panel: FrameLocator, writer: string) {
  await panel.getByRole('button', { name: 'Compact…' }).click();
  await panel.getByText(` · ${writer}`).waitFor();
  await previewButton(panel).click();
}

function previewButton(panel: FrameLocator): Locator {
  return panel.getByRole('button', { name: /^Preview(?: again)?$/ }).first();
}

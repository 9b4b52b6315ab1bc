import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { assertNoViolations } from '../accessibility.ts';
import { emptyWorkspace } from '../browser-editor/workbench.ts';
import { walk } from '../walk.ts';

/** Walks that set Strata up in agents from the editor. The agent here is a fake that knows only its own command. */

const written = '{\n  // my own\n  "theme" : "dark",\n  "mcpServers": {}\n}';

async function bringAgent(home: string): Promise<void> {
  await put(home, '.qwen/settings.json', written);
  await put(
    home,
    'bin/qwen',
    '#!/bin/sh\ngrep -q strata "$HOME/.qwen/settings.json" && [ "$*" = "mcp list" ] && echo "strata: node - Connected"\n',
  );
  await chmod(join(home, 'bin/qwen'), 0o755);
}

async function put(home: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
}

walk('an agent is set up after every change was shown, checked, and restored', async (openEditor) => {
  let home = '';
  const workbench = await openEditor(async (filled) => {
    home = filled;
    await bringAgent(home);
    return { folder: await emptyWorkspace(home) };
  });
  const settings = join(home, '.qwen/settings.json');
  const { page } = workbench;
  const dialog = page.locator('.monaco-dialog-box');
  const planned = page.getByRole('tab', { name: /not yet written/ });

  await workbench.runCommand('Strata: Set Up an Agent…');
  const panel = workbench.sideBarWebview();
  const agent = panel.getByRole('article', { name: /^Qwen Code/ });
  await panel.getByRole('heading', { name: 'Strata in your agents' }).waitFor();
  await agent.getByText('Not set up').waitFor();
  await agent.getByText('would change').waitFor();
  await assertNoViolations(panel, 'the page of agents');
  await workbench.takeScreenshot('walk-setup-page');

  await agent.getByRole('button', { name: settings }).press('Enter');
  await planned.waitFor();
  await workbench.takeScreenshot('walk-setup-file');

  await agent.getByRole('button', { name: 'Set up Strata in Qwen Code' }).press('Enter');
  await dialog.getByText('Set up Strata in Qwen Code? The diff shows what changes.').waitFor();
  await workbench.takeScreenshot('walk-setup-diff');
  assert.equal(await readFile(settings, 'utf8'), written, 'Nothing is written before the person agrees.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await planned.waitFor({ state: 'detached' });
  assert.equal(await readFile(settings, 'utf8'), written);
  await agent.getByText('Working …').waitFor({ state: 'hidden' });

  await agent.getByRole('button', { name: 'Set up Strata in Qwen Code' }).press('Enter');
  await dialog.getByRole('button', { name: 'Write' }).click();
  await agent.getByText('Qwen Code sees Strata’s tools.').waitFor();
  await agent.getByText('Set up', { exact: true }).waitFor();
  await agent.getByText('written by Strata').waitFor();
  assert.equal(await planned.count(), 0);
  const set = await readFile(settings, 'utf8');
  assert.match(set, /\/\/ my own/);
  assert.match(set, /"strata"/);
  assert.match(set, /say-again\.js/);
  await workbench.takeScreenshot('walk-setup-done');
  await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
  await page.locator('.monaco-workbench.vs-dark').waitFor();
  await assertNoViolations(panel, 'the page of agents in a dark theme');
  await workbench.takeScreenshot('walk-setup-dark');

  await writeFile(settings, written);
  await panel.getByRole('button', { name: 'Refresh' }).press('Enter');
  await agent.getByText('Set up by another version, or changed since').waitFor();
  await agent.getByRole('button', { name: 'Check whether Qwen Code sees Strata' }).press('Enter');
  await agent.getByText(/does not list it/).waitFor();
  await workbench.takeScreenshot('walk-setup-changed');
  await writeFile(settings, set);

  await agent.getByRole('button', { name: 'Remove Strata from Qwen Code' }).press('Enter');
  await dialog.getByText('Remove Strata from Qwen Code? The diff shows what changes.').waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await agent.getByText('Strata was removed from Qwen Code.').waitFor();
  await agent.getByText('Not set up').waitFor();
  assert.equal(await readFile(settings, 'utf8'), written);
  assert.deepEqual(await readdir(join(home, '.qwen')), ['settings.json']);

  await panel.getByRole('button', { name: 'Close the page of agents' }).press('Enter');
  await panel.getByRole('heading', { name: 'No session is open' }).waitFor();
});

import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Workbench } from '../browser-editor/workbench.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { walk } from '../walk.ts';

/** Strata in the configuration of agents, from the editor. The agent here is a stand-in that knows its own command only. */

const written = '{\n  // my own\n  "theme" : "dark",\n  "mcpServers": {}\n}';

async function homeWithAgent(): Promise<string> {
  const home = temporaryFolder();
  await put(home, '.qwen/settings.json', written);
  await put(
    home,
    'bin/qwen',
    '#!/bin/sh\ngrep -q strata "$HOME/.qwen/settings.json" && [ "$*" = "mcp list" ] && echo "strata: node - Connected"\n',
  );
  await chmod(join(home, 'bin/qwen'), 0o755);
  // VS Code takes PATH from the person's shell.
  await put(home, '.profile', `PATH="${join(home, 'bin')}:$PATH"\n`);
  return home;
}

async function put(home: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await writeFile(join(home, path), text);
}

walk('an agent is set up after a look at every change, checked, and left as it was before', async (openEditor) => {
  const home = await homeWithAgent();
  const settings = join(home, '.qwen/settings.json');
  const workbench = await openEditor({ environment: { HOME: home } });

  await choose(workbench, /^\s*Qwen Code/, 'walk-setup-choice');
  const { page } = workbench;
  const dialog = page.locator('.monaco-dialog-box');
  await dialog.getByText('Set up Strata in Qwen Code? The diff shows what changes.').waitFor();
  await workbench.takeScreenshot('walk-setup-diff');
  assert.equal(await readFile(settings, 'utf8'), written, 'Nothing is written before the person agrees.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('tab', { name: /not yet written/ }).waitFor({ state: 'detached' });
  assert.equal(await readFile(settings, 'utf8'), written);

  await choose(workbench, /^\s*Qwen Code/);
  await dialog.getByRole('button', { name: 'Write' }).click();
  await workbench.waitForNotification('Qwen Code sees Strata’s tools.');
  await workbench.takeScreenshot('walk-setup-done');
  assert.equal(await page.getByRole('tab', { name: /not yet written/ }).count(), 0);
  const set = await readFile(settings, 'utf8');
  assert.match(set, /\/\/ my own/);
  assert.match(set, /"strata"/);
  assert.match(set, /say-again\.js/);

  await choose(workbench, /^\s*Remove from Qwen Code/, 'walk-setup-choice-again');
  await dialog.getByText('Remove Strata from Qwen Code? The diff shows what changes.').waitFor();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await workbench.waitForNotification('Strata was removed from Qwen Code.');
  assert.equal(await readFile(settings, 'utf8'), written);
  assert.deepEqual(await readdir(join(home, '.qwen')), ['settings.json']);
});

async function choose(workbench: Workbench, name: RegExp, picture?: string): Promise<void> {
  await workbench.runCommand('Strata: Set Up an Agent…');
  const row = workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name });
  await row.waitFor();
  if (picture !== undefined) await workbench.takeScreenshot(picture);
  await row.click();
}

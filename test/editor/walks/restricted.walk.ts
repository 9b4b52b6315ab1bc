import assert from 'node:assert/strict';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Workbench } from '../browser-editor/workbench.ts';
import { openInTab, openSample } from '../inspector.ts';
import { projectFolder } from '../paths.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { walk } from '../walk.ts';

/** Walks with a folder that is not trusted and has settings of its own. */

walk('an untrusted folder decides neither what is read nor how it is compacted', async (openEditor) => {
  const folder = temporaryFolder();
  await bringSettings(folder);
  const { workbench } = await openSample(
    openEditor,
    { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' },
    { folder, asksForTrust: true },
  );
  await workbench.page.getByText('Restricted Mode', { exact: true }).first().waitFor();
  await openInTab(workbench);
  assert.equal(await strategyOfPreview(workbench, 'restricted-mode'), 'Pipeline');
  assert.equal(await numberOfSessions(workbench), 1, 'Only the session in the folder that the person set is listed.');

  await workbench.runCommand('Workspaces: Manage Workspace Trust');
  await workbench.page.getByRole('button', { name: 'Trust', exact: true }).click();
  await workbench.page
    .getByText('In a Trusted Workspace')
    .or(workbench.page.getByText('You trust this'))
    .first()
    .waitFor();
  await workbench.reloadWindow();
  await openInTab(workbench);
  assert.equal(await strategyOfPreview(workbench, 'trusted'), 'Checkpoint', 'Trusted, the folder’s strategy counts.');
  assert.equal(await numberOfSessions(workbench), 1, 'What is read stays the person’s choice.');
});

/** Writes settings that would make Strata read other sessions, open one at once, and compact in another way. */
async function bringSettings(folder: string): Promise<void> {
  const sessions = join(folder, 'sessions');
  await mkdir(sessions);
  await copyFile(
    join(projectFolder, 'test/fixtures/claude-code-2.1.14/auto-compaction.jsonl'),
    join(sessions, 'brought.jsonl'),
  );
  const settings = {
    'strata.sessions.folders': [sessions],
    'strata.sessions.atStartup': 'newest',
    'strata.compaction.strategy': 'checkpoint',
  };
  await mkdir(join(folder, '.vscode'));
  await writeFile(join(folder, '.vscode/settings.json'), JSON.stringify(settings));
}

async function strategyOfPreview(workbench: Workbench, name: string): Promise<string> {
  const panel = workbench.editorWebview();
  await panel.getByRole('button', { name: 'Compact…' }).click();
  await panel.getByRole('region', { name: 'What would change' }).waitFor();
  await workbench.takeScreenshot(name);
  const line = await panel.getByTitle('Change strategy, size, turns, summarizer or instructions').innerText();
  return line.split(' · ')[0]?.trim() ?? '';
}

async function numberOfSessions(workbench: Workbench): Promise<number> {
  const panel = workbench.editorWebview();
  await panel.locator('.opener').click();
  const files = panel.getByRole('option').filter({ hasNotText: 'Open another session file' });
  await files.first().waitFor();
  const count = await files.count();
  await panel.getByRole('combobox', { name: 'Search sessions' }).press('Escape');
  return count;
}

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import type { Workbench } from '../browser-editor/workbench.ts';
import { goToTop, rows } from '../inspector.ts';
import { projectFolder } from '../paths.ts';
import { temporaryFolder } from '../processes/temporary-folder.ts';
import { type OpenEditor, walk } from '../walk.ts';

/** Sessions of all agents beside each other, and what is written for them. */

const fixtures = join(projectFolder, 'test/fixtures');

/** Where each agent would keep a session, below a home. */
const stores: Readonly<Record<string, string>> = {
  '.pi/agent/sessions/--home-ada-scratch--/one.jsonl': 'pi-0.87/before-compaction.jsonl',
  '.claude/projects/-home-ada-scratch/7800e132-8dd2-4ab7-b45b-0ba566a8975e.jsonl':
    'claude-code-2.1.330/before-compaction.jsonl',
};

async function put(home: string, path: string, fixture: string): Promise<string> {
  const file = join(home, path);
  await mkdir(dirname(file), { recursive: true });
  const text = await readFile(join(fixtures, fixture), 'utf8');
  await writeFile(file, text.replaceAll('/home/ada/scratch', home));
  return file;
}

async function openWithSessions(
  openEditor: OpenEditor,
): Promise<{ workbench: Workbench; home: string; panel: FrameLocator }> {
  const home = temporaryFolder();
  for (const [path, fixture] of Object.entries(stores)) await put(home, path, fixture);
  const workbench = await openEditor({ environment: { HOME: home } });
  await workbench.runCommand('Strata: Open Inspector in Editor');
  return { workbench, home, panel: workbench.editorWebview() };
}

async function openSession(panel: FrameLocator, name: RegExp): Promise<void> {
  await panel.locator('.opener').click();
  await panel.getByRole('option', { name }).first().click();
  await panel.getByRole('tree').waitFor();
}

walk('the list has the sessions of every agent, and those that begin while it is open', async (openEditor) => {
  const { workbench, home, panel } = await openWithSessions(openEditor);
  await panel.locator('.opener').click();
  for (const agent of ['pi', 'Claude Code']) await panel.getByRole('option', { name: agent }).first().waitFor();
  const before = await panel.getByRole('option').count();
  await put(home, '.pi/agent/sessions/--home-ada-scratch--/two.jsonl', 'pi-0.87/after-compaction.jsonl');
  await panel.getByRole('option', { name: /My named session/ }).waitFor();
  assert.equal(await panel.getByRole('option').count(), before + 1);
  await workbench.takeScreenshot('walk-agents-list');
});

walk('a fork holds the compacted context, is resumed in a terminal, and is deleted again', async (openEditor) => {
  const { workbench, home, panel } = await openWithSessions(openEditor);
  const folder = join(home, '.claude/projects/-home-ada-scratch');
  const [original = ''] = await readdir(folder);
  const before = await readFile(join(folder, original));
  await openSession(panel, /Claude Code/);
  await workbench.runCommand('Strata: Pin Constraint…');
  await workbench.page.locator('.quick-input-box input').fill('Never touch the database.');
  await workbench.page.keyboard.press('Enter');
  await panel.getByRole('tab', { name: /Core/ }).click();
  await panel.getByText('Never touch the database.').first().waitFor();
  await panel.getByRole('button', { name: 'More actions' }).click();
  await workbench.takeScreenshot('walk-agents-more');
  await panel.getByRole('menuitem', { name: 'Fork with this context' }).click();
  const notice = await workbench.waitForNotification(/A new session of Claude Code was written/);
  await workbench.takeScreenshot('walk-agents-forked');
  const files = (await readdir(folder)).filter((name) => name !== original);
  assert.equal(files.length, 1);
  assert.deepEqual(await readFile(join(folder, original)), before);
  await notice.getByRole('button', { name: 'Inspect' }).click();
  await goToTop(panel);
  await rows(panel, /PROTECTED CORE/).waitFor();
  await panel.getByText('Never touch the database.').first().waitFor();
  await workbench.takeScreenshot('walk-agents-fork-opened');
  await workbench.runCommand('Strata: Resume Session in Terminal');
  await workbench.page
    .getByText(/claude --resume/)
    .first()
    .waitFor();
  await workbench.takeScreenshot('walk-agents-terminal');
  await workbench.runCommand('Strata: Delete This Fork');
  // This editor's files are on a server, which has no trash.
  await workbench.page.getByRole('button', { name: 'Delete for Good' }).click();
  await workbench.waitForNotification(/The new session is deleted/);
  assert.deepEqual(await readdir(folder), [original]);
});

walk('a branch from a turn offers its text for editing', async (openEditor) => {
  const { workbench, panel } = await openWithSessions(openEditor);
  await openSession(panel, /Claude Code/);
  await rows(panel, /Second turn/)
    .first()
    .click();
  await panel.getByRole('button', { name: 'Branch from here' }).click();
  await workbench.waitForNotification(/A new session of Claude Code was written/);
  await workbench.page
    .locator('.view-lines')
    .getByText(/Second.turn/)
    .first()
    .waitFor();
  await workbench.takeScreenshot('walk-agents-branch');
});

import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { emptyWorkspace, type Workbench } from '../browser-editor/workbench.ts';
import { goToTop, rows } from '../inspector.ts';
import { projectFolder } from '../paths.ts';
import { type OpenEditor, walk } from '../walk.ts';

/** Walks with sessions of all agents side by side, and with what Strata writes for them. */

const fixtures = join(projectFolder, 'test/fixtures');

const claudeSession = '7800e132-8dd2-4ab7-b45b-0ba566a8975e';
const qwenSession = '8f65f7d2-9473-44b9-aa61-d198644549bc';
const rollout = 'rollout-2026-11-22T07-08-06-01a20215';

/** The place where each agent would keep a session, below a home. */
const stores: Readonly<Record<string, string>> = {
  '.pi/agent/sessions/--scratch--/one.jsonl': 'pi-0.87/before-compaction.jsonl',
  [`.claude/projects/-scratch/${claudeSession}.jsonl`]: 'claude-code-2.1.330/before-compaction.jsonl',
  [`.claude/projects/-scratch/${claudeSession}/subagents`]: 'claude-code-2.1.330/subagents',
  [`.codex/sessions/2026/11/22/${rollout}-0000-7000-8000-000000000001.jsonl`]: 'codex-0.169/remote-compaction.jsonl',
  [`.qwen/projects/-scratch/chats/${qwenSession}.jsonl`]: `qwen-code-0.24/chats/${qwenSession}.jsonl`,
  '.gemini/tmp/scratch/chats': 'gemini-cli-0.61/chats',
  '.local/share/opencode/opencode.db': 'opencode-1.18.33/opencode.db',
  '.cline/data/sessions': 'cline-3.0.65/after-compaction',
};

const agents = ['pi', 'Claude Code', 'Codex', 'Qwen Code', 'Gemini CLI', 'OpenCode', 'Cline'];

/** Copies a file or a folder of fixtures. Text files get the home itself as their folder, so that it exists. */
async function put(home: string, path: string, fixture: string): Promise<void> {
  await mkdir(dirname(join(home, path)), { recursive: true });
  await cp(join(fixtures, fixture), join(home, path), { recursive: true });
  if (!path.endsWith('.jsonl')) return;
  const text = await readFile(join(home, path), 'utf8');
  await writeFile(join(home, path), text.replaceAll('/home/ada/scratch', home));
}

async function openWithSessions(
  openEditor: OpenEditor,
): Promise<{ workbench: Workbench; home: string; panel: FrameLocator }> {
  let home = '';
  const workbench = await openEditor(async (filled) => {
    home = filled;
    for (const [path, fixture] of Object.entries(stores)) await put(home, path, fixture);
    await put(home, 'bin/claude', '../editor/stand-in-agent.sh');
    return { folder: await emptyWorkspace(home) };
  });
  await workbench.runCommand('Strata: Open Inspector in Editor');
  return { workbench, home, panel: workbench.editorWebview() };
}

async function openSession(panel: FrameLocator, name: RegExp): Promise<void> {
  await panel.locator('.opener').click();
  await panel.getByRole('option', { name }).first().click();
  await panel.getByRole('tree').waitFor();
}

walk(
  'sessions of every agent are listed and open, a call leads to its subagent, and a turn to a branch',
  async (openEditor) => {
    const { workbench, home, panel } = await openWithSessions(openEditor);
    await panel.locator('.opener').click();
    for (const agent of agents) await panel.getByRole('option', { name: agent }).first().waitFor();
    const before = await panel.getByRole('option').count();
    await put(home, '.pi/agent/sessions/--scratch--/two.jsonl', 'pi-0.87/after-compaction.jsonl');
    await panel.getByRole('option', { name: /My named session/ }).waitFor();
    assert.equal(await panel.getByRole('option').count(), before + 1);
    await workbench.takeScreenshot('walk-agents-list');
    await panel.getByRole('combobox', { name: 'Search sessions' }).press('Escape');

    for (const agent of agents) {
      await openSession(panel, new RegExp(agent));
      await panel.locator('.opener').getByText(agent, { exact: true }).waitFor();
      assert.ok((await panel.getByRole('treeitem').count()) > 3, agent);
      await workbench.takeScreenshot(`walk-agents-${agent.toLowerCase().replaceAll(' ', '-')}`);
    }
    await openSession(panel, /Claude Code/);
    await rows(panel, /Agent List files/)
      .first()
      .click();
    await panel.getByRole('button', { name: 'Open the subagent’s session' }).click();
    await panel.getByRole('button', { name: 'Started by another session' }).waitFor();
    await workbench.takeScreenshot('walk-agents-subagent');
    await panel.getByRole('button', { name: 'Started by another session' }).click();
    await rows(panel, /Agent List files/)
      .first()
      .waitFor();

    // The actions of a row are in its middle.
    await rows(panel, /Second turn/)
      .first()
      .click({ position: { x: 30, y: 10 } });
    await panel.getByRole('button', { name: 'Branch from here' }).click();
    await workbench.waitForNotification(/A new session of Claude Code was written/);
    await workbench.page
      .locator('.view-lines')
      .getByText(/Second.turn/)
      .first()
      .waitFor();
    await workbench.takeScreenshot('walk-agents-branch');
  },
);

walk('a fork holds the compacted context, is resumed in a terminal, and is deleted again', async (openEditor) => {
  const { workbench, home, panel } = await openWithSessions(openEditor);
  const folder = join(home, '.claude/projects/-scratch');
  const original = `${claudeSession}.jsonl`;
  const before = await readFile(join(folder, original));
  await openSession(panel, /Claude Code/);
  await workbench.runAndChoose('Strata: Pin…', 'Pin a constraint');
  await workbench.page.locator('.quick-input-box input').fill('Never touch the database.');
  await workbench.page.keyboard.press('Enter');
  await panel.getByRole('tab', { name: /Core/ }).click();
  await panel.getByText('Never touch the database.').first().waitFor();
  await panel.getByRole('button', { name: 'More actions' }).click();
  await workbench.takeScreenshot('walk-agents-more');
  await panel.getByRole('menuitem', { name: 'Fork with this context' }).click();
  const notice = await workbench.waitForNotification(/A new session of Claude Code was written/);
  await workbench.takeScreenshot('walk-agents-forked');
  const files = (await readdir(folder)).filter((name) => name.endsWith('.jsonl') && name !== original);
  assert.equal(files.length, 1);
  assert.deepEqual(await readFile(join(folder, original)), before);
  await notice.getByRole('button', { name: 'Inspect' }).click();
  // The fork replaces the original a moment later, and opens at its end.
  await until(async () => {
    await goToTop(panel);
    return await panel.getByText('Fork of “List the files').isVisible();
  });
  await panel.getByText('Never touch the database.').first().waitFor();
  await workbench.takeScreenshot('walk-agents-fork-opened');
  await workbench.runCommand('Strata: Resume Session in Terminal');
  await until(async () => (await readFile(join(home, 'asked'), 'utf8').catch(() => '')) !== '');
  assert.equal(await readFile(join(home, 'asked'), 'utf8'), `--resume ${files[0]?.replace('.jsonl', '')}\n`);
  await workbench.takeScreenshot('walk-agents-terminal');
  await workbench.runCommand('Strata: Delete This Fork');
  // The files of this editor are on a server, which has no trash.
  await workbench.page.getByRole('button', { name: 'Delete for Good' }).click();
  await workbench.waitForNotification(/The new session is deleted/);
  assert.deepEqual((await readdir(folder)).sort(), [claudeSession, original]);
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error('It did not come about.');
}

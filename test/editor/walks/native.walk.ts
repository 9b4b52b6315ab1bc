import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { emptyWorkspace, type Workbench } from '../browser-editor/workbench.ts';
import { gaugeLabel, openInTab, openSample, rows } from '../inspector.ts';
import { prepareSampleWorkspace, SAMPLE_SESSION } from '../sample-workspace.ts';
import { strata } from '../strata.ts';
import { walk } from '../walk.ts';

/** Walks with Strata's additions to VS Code's own parts: status bar, views, menus, links, the walkthrough. */

walk(
  'the status bar has the number of the gauge, shows the inspector, and can be hidden; rows have a context menu',
  async (openEditor) => {
    const { workbench } = await openSample(openEditor);
    const { page } = workbench;
    assert.equal(await statusItem(workbench).count(), 0, 'Nothing is there while no session is open.');
    const panel = await openInTab(workbench);
    await statusItem(workbench).waitFor();
    const gauge = await gaugeLabel(panel);
    const [total = ''] = (await statusItem(workbench).innerText()).match(/[\d.]+k/) ?? [];
    assert.ok(total !== '' && gauge?.includes(total), `The gauge says "${gauge}", the status bar "${total}".`);

    await statusItem(workbench).hover();
    await page
      .locator('.monaco-hover')
      .getByText('Automatic compaction is off here: pi would continue with its own context.')
      .waitFor();
    await workbench.takeScreenshot('native-status-bar');

    await workbench.runCommand('File: New Untitled Text File');
    await panel.getByRole('tree').waitFor({ state: 'hidden' });
    await statusItem(workbench).click();
    await workbench.editorWebview().getByRole('tree').waitFor();
    await workbench.runCommand('View: Close Primary Side Bar');
    await panel.getByRole('tree').press('End');
    await rows(panel, /./).last().click({ button: 'right' });
    const offered = await menuItems(workbench);
    await workbench.takeScreenshot('native-row-menu');
    for (const action of [
      'Pin…',
      'Compact Up to Here…',
      'Compact from Here…',
      'Copy',
      'Collapse All Turns',
      'Expand All Turns',
    ]) {
      assert.ok(offered.includes(action), `The menu offers ${offered.join(', ')}.`);
    }
    await workbench.chooseMenuItem('Show in Session File');
    await workbench.page.locator('.tab.active', { hasText: '.jsonl' }).waitFor();

    await statusItem(workbench).click({ button: 'right' });
    await workbench.chooseMenuItem(/^Hide 'Strata Context Size'/);
    await statusItem(workbench).waitFor({ state: 'hidden' });
  },
);

walk('the Sessions view lists by folder or agent, opens by keyboard, and has a context menu', async (openEditor) => {
  const { workbench } = await openSample(openEditor);
  const { page } = workbench;
  await showSessions(workbench);
  const groups = sessionsView(workbench).getByRole('treeitem', { level: 1 });
  await groups.first().waitFor();
  await workbench.takeScreenshot('native-sessions');
  const byFolder = await groups.first().innerText();

  await paneOf(workbench).hover();
  await paneOf(workbench).getByRole('button', { name: 'Group Sessions by Folder or Agent' }).click();
  await groups.filter({ hasText: /^pi$/ }).waitFor();
  await paneOf(workbench).getByRole('button', { name: 'Group Sessions by Folder or Agent' }).click();
  await groups.filter({ hasText: byFolder.split('\n')[0] ?? '' }).waitFor();

  await groups.first().click();
  await page.keyboard.press('Home');
  if ((await groups.first().getAttribute('aria-expanded')) === 'false') await page.keyboard.press('ArrowRight');
  await sessionsView(workbench).getByRole('treeitem', { level: 2 }).first().waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await workbench.sideBarWebview().getByRole('tree').waitFor();
  await statusItem(workbench).waitFor();

  const session = sessionsView(workbench).getByRole('treeitem', { level: 2 }).first();
  await session.click({ button: 'right' });
  const offered = await menuItems(workbench);
  await workbench.takeScreenshot('native-session-menu');
  assert.deepEqual(offered, [
    'Open',
    'Open in Editor',
    'Resume in Terminal',
    'Copy Resume Command',
    'Reveal Session File',
  ]);
  await workbench.chooseMenuItem('Open in Editor');
  await workbench.editorWebview().getByRole('tree').waitFor();
});

walk(
  'without sessions, the Sessions view says what to do; the walkthrough has a picture for each step',
  async (openEditor) => {
    const workbench = await openEditor(async (home) => ({ folder: await emptyWorkspace(home) }));
    await showSessions(workbench);
    await paneOf(workbench).getByText('No sessions of a coding agent were found.').waitFor();
    await paneOf(workbench).getByRole('button', { name: 'Open Session File…' }).waitFor();
    await workbench.takeScreenshot('native-no-sessions');

    const { page } = workbench;
    await workbench.runCommand('Strata: Get Started');
    await page.locator('.gettingStartedDetailsContent h2', { hasText: 'Get Started with Strata' }).waitFor();
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    for (const [index, title] of walkthroughSteps.entries()) {
      await page.locator('.getting-started-step', { hasText: title }).click();
      await page.locator('.getting-started-media .webview, .getting-started-media iframe').first().waitFor();
      await page.waitForTimeout(700);
      await workbench.takeScreenshot(`native-walkthrough-${index + 1}`);
    }
    await page.getByRole('button', { name: 'Open Chat' }).first().waitFor();
  },
);

walk(
  'a link opens a session of an agent by file or id, and any other file only when the person agrees',
  async (openEditor) => {
    let session = '';
    let listed = '';
    const workbench = await openEditor(async (home) => {
      session = await keepAsPiDoes(home);
      const sample = await prepareSampleWorkspace(join(home, 'sample'));
      if (sample.session.kind === 'missing') throw new Error('The sample session is missing.');
      listed = sample.session.path;
      return sample;
    });
    await openLink(workbench, `open?file=${session}`);
    await workbench.sideBarWebview().getByRole('tree').waitFor();
    await statusItem(workbench).waitFor();

    // This session is listed only because a setting names its folder.
    await openLink(workbench, `open?file=${listed}`);
    await dialog(workbench).getByText('A link asks Strata to open this file as a session').waitFor();
    await dialog(workbench).getByRole('button', { name: 'Cancel' }).click();

    const elsewhere = join(strata.folder, 'test/fixtures/claude-code-2.1.330/after-compaction.jsonl');
    await openLink(workbench, `open?file=${elsewhere}`);
    const question = dialog(workbench);
    await question.getByText('A link asks Strata to open this file as a session').waitFor();
    assert.ok((await question.innerText()).includes(elsewhere));
    await workbench.takeScreenshot('native-link-asks');
    await question.getByRole('button', { name: 'Cancel' }).click();
    await workbench.sideBarWebview().getByText('pi', { exact: true }).first().waitFor();

    await openLink(workbench, `open?file=${elsewhere}`);
    await dialog(workbench).getByRole('button', { name: 'Open', exact: true }).click();
    await workbench.sideBarWebview().getByText('Claude Code').first().waitFor();

    await openLink(workbench, 'open?file=../elsewhere.jsonl');
    await workbench.waitForNotification('the path of its file must be absolute');

    await openLink(workbench, 'open?agent=pi&id=no-such-session');
    await workbench.waitForNotification('No session of pi with the id no-such-session was found');
    const [first = ''] = (await readFile(session, 'utf8')).split('\n');
    await openLink(workbench, `open?agent=pi&id=${JSON.parse(first).id}`);
    await workbench.sideBarWebview().getByText('pi', { exact: true }).first().waitFor();
    await workbench.sideBarWebview().getByRole('tree').waitFor();
  },
);

/** Copies the sample session to the place where pi keeps its sessions. */
async function keepAsPiDoes(home: string): Promise<string> {
  const folder = join(home, '.pi/agent/sessions/--sample--');
  await mkdir(folder, { recursive: true });
  const file = join(folder, basename(SAMPLE_SESSION));
  await copyFile(SAMPLE_SESSION, file);
  return file;
}

const walkthroughSteps = [
  'See what fills the context',
  'Compact, and undo it',
  'Protect what must not be lost',
  'Choose a summarizer',
  'Chat with a visible context',
];

function statusItem({ page }: Workbench): Locator {
  return page.locator(`.statusbar-item[id="${strata.identifier}.strata.context"]`);
}

async function showSessions(workbench: Workbench): Promise<void> {
  await workbench.runCommand('View: Show Strata');
  const header = paneOf(workbench).locator('.pane-header');
  await header.waitFor();
  if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
}

function paneOf({ page }: Workbench): Locator {
  return page.locator('.pane', { has: page.getByRole('button', { name: /^Sessions Section/ }) });
}

function sessionsView(workbench: Workbench): Locator {
  return paneOf(workbench).getByRole('tree');
}

async function menuItems({ page }: Workbench): Promise<string[]> {
  const labels = page.locator('.context-view .action-label:not(.separator)');
  await labels.first().waitFor();
  return (await labels.allInnerTexts()).map((label) => label.trim()).filter((label) => label !== '');
}

function dialog({ page }: Workbench): Locator {
  return page.getByRole('dialog').filter({ has: page.locator('.dialog-message-container') });
}

/** Opens a link as another program would. The editor itself asks about it first. */
async function openLink(workbench: Workbench, link: string): Promise<void> {
  await workbench.runCommand('Developer: Open URL');
  await workbench.answer(`vscode://${strata.identifier}/${link}`);
  const asked = dialog(workbench).filter({ hasText: 'extension to open this URI' });
  await asked.getByRole('button', { name: 'Open', exact: true }).click();
}

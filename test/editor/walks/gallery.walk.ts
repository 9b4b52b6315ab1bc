import type { FrameLocator } from 'playwright-core';
import { says, startModelServer } from '../../builders/scripted-model-server.ts';
import { assertNoViolations } from '../accessibility.ts';
import { Chat } from '../chat.ts';
import { compactAll, goToTop, openGoalBatch, openInSideBar, openInTab, openSample } from '../inspector.ts';
import { inEachTheme, takeInEachTheme, themes } from '../themes.ts';
import { walk } from '../walk.ts';

/** Walks that take pictures; `npm run screenshots` copies them into docs/screenshots. */

walk(
  'the inspector looks right in each theme, and axe finds nothing wrong with any of its tabs',
  async (openEditor) => {
    const { workbench } = await openSample(openEditor, { 'workbench.colorTheme': themes.dark });
    await workbench.runCommand('View: Close Primary Side Bar');
    const panel = await openInTab(workbench);
    await workbench.takeScreenshot('opened-dark');
    await compactAll(panel);
    await goToTop(panel);
    await openGoalBatch(panel);
    await inEachTheme(workbench, panel, async (theme) => {
      await workbench.takeScreenshot(`inspector-${theme}`);
      await panel.getByRole('button', { name: 'Compact…' }).click();
      for (const name of [/^Preview/, /^Compactions/, /^Core/]) {
        await showTab(panel, name);
        await assertNoViolations(panel, `${name}, ${theme}`);
      }
      await workbench.takeScreenshot(`accessibility-${theme}`);
      await showTab(panel, /^Preview/);
      await panel.getByRole('button', { name: 'Close', exact: true }).click();
      await showTab(panel, /^Compactions/);
    });
  },
);

async function showTab(panel: FrameLocator, name: RegExp): Promise<void> {
  await panel.getByRole('tab', { name }).click();
  await panel.getByRole('tab', { name, selected: true }).waitFor();
}

walk('the chat beside the inspector looks right in each theme', async (openEditor) => {
  const server = await startModelServer(
    says('`src/tui.ts` paints all rows on every key. I would keep the painted rows and repaint those that changed.'),
    says('Done: `paint()` compares each row with the one on screen. The tests pass, 41 of 41.'),
  );
  using _closing = { [Symbol.dispose]: () => server.close() };
  const { workbench } = await openSample(openEditor, {
    'workbench.colorTheme': themes.dark,
    'strata.summarizer.openai.baseUrl': server.baseUrl,
    'strata.summarizer.openai.model': 'gpt-5',
    'strata.chat.tools': ['strata_core', 'strata_recall'],
  });
  await workbench.runCommand('View: Show Strata');
  const chat = await Chat.open(workbench, 'Strata: gpt-5');
  await chat.say('Why does the editor flicker while I type?');
  await chat.say('/pin constraint Keep the public API of src/tui.ts as it is.');
  await chat.say('Do that.');
  await chat.say('/context');
  await takeInEachTheme(workbench, workbench.sideBarWebview(), 'chat');
});

walk('the inspector fits into the side bar, and into 320 pixels', async (openEditor) => {
  const { workbench } = await openSample(openEditor, {
    'workbench.colorTheme': themes.dark,
    'workbench.activityBar.location': 'top',
  });
  const view = await openInSideBar(workbench);
  await compactAll(view);
  await goToTop(view);
  await leavesRoom(view);
  await workbench.takeScreenshot('inspector-side-bar');
  await workbench.runCommand('View: Close Primary Side Bar');
  await workbench.setViewport({ width: 320, height: 800 });
  const tab = await openInTab(workbench);
  await goToTop(tab);
  await fitsInto(tab, 320);
  await workbench.takeScreenshot('inspector-320');
  await tab.getByRole('tab', { name: /Compactions/ }).click();
  await fitsInto(tab, 320);
  await workbench.takeScreenshot('inspector-320-compactions');
});

/** Asserts that the timeline has most of the height, even with two gauges and a notice above it. */
async function leavesRoom(panel: FrameLocator): Promise<void> {
  const height = await panel.locator('body').evaluate((body) => body.ownerDocument.documentElement.clientHeight);
  const tree = await panel.getByRole('tree').boundingBox();
  const share = (tree?.height ?? 0) / height;
  if (share < 0.6) throw new Error(`The timeline has ${Math.round(100 * share)} % of the height.`);
}

/** Asserts that nothing is wider than the view, so that no one has to scroll sideways. */
async function fitsInto(panel: FrameLocator, width: number): Promise<void> {
  const widest = await panel.locator('body').evaluate((body) => body.ownerDocument.documentElement.scrollWidth);
  if (widest > width) throw new Error(`The panel is ${widest} pixels wide in a view of ${width}.`);
}

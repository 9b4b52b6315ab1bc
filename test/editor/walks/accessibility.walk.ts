import assert from 'node:assert/strict';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Workbench } from '../browser-editor/workbench.ts';
import { gaugeLabel, openSample, rows } from '../inspector.ts';
import { walk } from '../walk.ts';

/** A walk through a whole piece of work by keyboard alone. */

walk(
  'a session is opened, walked through, pinned to, compacted, compared and undone by keyboard alone',
  async (open) => {
    const { workbench } = await openSample(open);
    const { keyboard } = workbench.page;
    await workbench.runCommand('Strata: Open Inspector in Editor');
    const panel = workbench.editorWebview();

    await panel.locator('.opener').focus();
    await keyboard.press('Enter');
    await panel.getByRole('option').first().waitFor();
    await keyboard.press('Enter');
    await panel.getByRole('tree').waitFor();
    const before = await gaugeLabel(panel);

    await goByTab(workbench, panel.getByRole('tree'));
    await keyboard.press('Home');
    await press(keyboard, 'ArrowDown', 3);
    await active(panel).waitFor();

    await keyboard.press('?');
    await panel.getByRole('dialog', { name: 'Keys' }).waitFor();
    await keyboard.press('Escape');
    await panel.getByRole('dialog').waitFor({ state: 'detached' });
    assert.ok(await hasFocus(panel.getByRole('tree')), 'The keyboard is back in the timeline.');

    await foldTurn(panel, keyboard);

    await goByTab(workbench, panel.getByRole('button', { name: 'Pin a goal, constraint or decision' }));
    await keyboard.press('Enter');
    await panel.getByRole('textbox', { name: /Kept word for word/ }).waitFor();
    await keyboard.type(constraint);
    await keyboard.press('Control+Enter');
    await panel.getByRole('status').filter({ hasText: 'Constraint pinned' }).first().waitFor();

    await goByTab(workbench, panel.getByRole('button', { name: 'Compact…' }));
    await keyboard.press('Enter');
    await panel.getByRole('region', { name: 'What would change' }).waitFor();
    await goByTab(workbench, panel.getByRole('button', { name: /all old turns/ }));
    await keyboard.press('Control+Enter');
    await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
    assert.notEqual(await gaugeLabel(panel), before);
    await panel
      .getByRole('status')
      .filter({ hasText: /applied: the context has/ })
      .first()
      .waitFor();

    const compactions = panel.getByRole('tab', { name: /Compactions/ });
    if ((await compactions.getAttribute('aria-selected')) !== 'true') {
      await goByTab(workbench, panel.getByRole('tab', { selected: true }));
      await keyboard.press('ArrowLeft');
    }
    await goByArrows(workbench, panel, /#\d+ Pipeline/);
    await keyboard.press('Enter');
    const openInDiff = panel.getByRole('button', { name: 'Open in diff editor' });
    await openInDiff.waitFor();
    await goByTab(workbench, openInDiff);
    await keyboard.press('Enter');
    await workbench.page.locator('.modified-in-monaco-diff-editor').getByText('[GOAL BATCH]').waitFor();
    await workbench.runCommand('View: Close Editor');

    await goByTab(workbench, panel.getByRole('button', { name: /^Undo:/ }));
    await keyboard.press('Enter');
    await panel
      .getByRole('status')
      .filter({ hasText: /undone: the context has/ })
      .first()
      .waitFor();
    assert.deepEqual(await workbench.errorNotifications(), []);
  },
);

const constraint = 'Never rewrite tui-renderer.ts in place.';

type Keyboard = Page['keyboard'];

/** Takes the first turn on the way: Left folds it, Right unfolds it, and Enter opens and closes a block before it. */
async function foldTurn(panel: FrameLocator, keyboard: Keyboard): Promise<void> {
  await keyboard.press('Home');
  await rows(panel, /^turn \d+/)
    .first()
    .waitFor();
  for (let step = 0; step < 12 && !(await activeName(panel)).startsWith('turn'); step += 1) {
    await keyboard.press('ArrowDown');
  }
  await keyboard.press('ArrowLeft');
  assert.equal(await active(panel).getAttribute('aria-expanded'), 'false');
  await keyboard.press('ArrowRight');
  assert.equal(await active(panel).getAttribute('aria-expanded'), 'true');
  await keyboard.press('Enter');
  await active(panel).locator('.detail').waitFor();
  await keyboard.press('Enter');
}

function active(panel: FrameLocator): Locator {
  return panel.locator('[role=treeitem][aria-selected=true]').first();
}

async function activeName(panel: FrameLocator): Promise<string> {
  return (await active(panel).getAttribute('aria-label')) ?? '';
}

/**
 * Moves into the list of compactions, which is one stop of the Tab key, and down from its top to the entry with this
 * name.
 */
async function goByArrows(workbench: Workbench, panel: FrameLocator, name: RegExp): Promise<void> {
  const { keyboard } = workbench.page;
  const items = panel.locator('[data-compaction]');
  await goByTab(workbench, panel.locator('[data-compaction][tabindex="0"]'));
  await keyboard.press('Home');
  const place = (await items.allInnerTexts()).findIndex((text) => name.test(text));
  await press(keyboard, 'ArrowDown', place);
  assert.ok(await hasFocus(items.nth(place)), 'The arrow keys lead to it.');
}

/** Moves the focus to a control with Tab, forwards and then backwards. */
async function goByTab({ page }: Workbench, control: Locator): Promise<void> {
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < tabsTried; step += 1) {
      if (await hasFocus(control)) return;
      await page.keyboard.press(key);
    }
  }
  throw new Error(`Tab does not lead to ${control}.`);
}

/** Maximum number of Tab presses: a loss report alone has some fifty names to jump to. */
const tabsTried = 120;

/** Whether the control has the focus. The toolkit's buttons keep it on an inner element. */
function hasFocus(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { activeElement } = element.ownerDocument;
    return (
      activeElement !== null && (activeElement === element || activeElement.shadowRoot?.contains(element) === true)
    );
  });
}

async function press(keyboard: Keyboard, key: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await keyboard.press(key);
}

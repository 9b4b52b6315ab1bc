import { violationsOf } from './harness/axe.ts';
import { type OpenPanel, PanelBrowser, type PanelOptions, settled } from './harness/browser.ts';
import { rescue } from './harness/scenario.ts';
import type { ThemeName } from './harness/themes.ts';

/**
 * Runs axe over every tab and state of the built panel, in every theme and at 320 pixels. Start it with `node
 * test/webview/accessibility.ts`. Arguments select the states whose names contain one of them.
 */
interface State {
  readonly name: string;
  readonly options?: Partial<PanelOptions>;
  readonly prepare?: (panel: OpenPanel) => Promise<void>;
}

const states: readonly State[] = [
  { name: 'timeline', prepare: showTimeline },
  { name: 'timeline with an open block and a detail', prepare: openBlockAndDetail },
  { name: 'compactions, one selected', prepare: openCompaction },
  { name: 'compaction of the agent', prepare: openAgentsCompaction },
  { name: 'what the agent forgot', options: { change: (view) => ({ ...view, rescue }) }, prepare: showForgotten },
  { name: 'the past', prepare: goToThePast },
  { name: 'the timeline of the past', prepare: showThePast },
  { name: 'the core of the past', prepare: showPastCore },
  { name: 'core', prepare: openCore },
  { name: 'core with an item being edited', prepare: editItem },
  { name: 'pin form', prepare: (panel) => press(panel, 'Pin a goal, constraint or decision') },
  { name: 'preview', prepare: openPreview },
  { name: 'questions before and after', prepare: askBoth },
  { name: 'a block written again', prepare: writeAgain },
  { name: 'comparison', prepare: openComparison },
  { name: 'picker', prepare: openPicker },
  { name: 'menu', prepare: (panel) => press(panel, 'More actions') },
  { name: 'keys', prepare: openKeys },
  { name: 'messages', prepare: failOnce },
  { name: 'empty', options: { hasSession: false } },
  { name: 'opening', options: { hasSession: false }, prepare: showOpening },
];

async function showTimeline({ page }: OpenPanel): Promise<void> {
  const tab = page.getByRole('tab', { name: 'Timeline' });
  if (await tab.count()) await tab.click();
}

async function openBlockAndDetail(panel: OpenPanel): Promise<void> {
  await showTimeline(panel);
  const { page } = panel;
  await page.getByRole('tree').focus();
  await page.keyboard.press('Home');
  const blocks = page.getByRole('treeitem', { name: /^(goal batch|summary)/ });
  await blocks.first().locator('.twistie').first().click();
  await settled(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

async function openCompaction({ page }: OpenPanel): Promise<void> {
  await page.getByRole('tab', { name: /Compactions/ }).click();
  await page
    .getByRole('button', { name: /#3 Goal batch/ })
    .first()
    .click();
}

async function openAgentsCompaction({ page }: OpenPanel): Promise<void> {
  await page.getByRole('tab', { name: /Compactions/ }).click();
  await page.getByRole('button', { name: /by pi/ }).first().click();
}

async function showForgotten({ page }: OpenPanel): Promise<void> {
  await page.getByRole('button', { name: 'Show it' }).click();
}

async function goToThePast({ page }: OpenPanel): Promise<void> {
  await page.getByRole('tab', { name: /Compactions/ }).click();
  await page.getByRole('slider', { name: 'Moment of the session' }).press('PageDown');
  await page.getByRole('region', { name: 'Another moment is shown' }).waitFor();
}

async function showThePast(panel: OpenPanel): Promise<void> {
  await goToThePast(panel);
  await showTimeline(panel);
  const row = panel.page.getByRole('treeitem').last();
  await row.click({ position: { x: 120, y: 12 } });
  await row.hover();
}

async function showPastCore(panel: OpenPanel): Promise<void> {
  await goToThePast(panel);
  await openCore(panel);
  await press(panel, 'More actions');
}

async function openCore({ page }: OpenPanel): Promise<void> {
  await page.getByRole('tab', { name: /Core/ }).click();
  for (const summary of await page.locator('.core > details > summary').all()) await summary.click();
}

async function editItem(panel: OpenPanel): Promise<void> {
  await panel.page.getByRole('tab', { name: /Core/ }).click();
  await press(panel, 'Edit: ');
}

async function openPreview(panel: OpenPanel): Promise<void> {
  await press(panel, 'Compact…');
  await panel.page.getByRole('region', { name: 'What would change' }).waitFor();
}

async function writeAgain(panel: OpenPanel): Promise<void> {
  const { page } = panel;
  await page.getByRole('tab', { name: /Compactions/ }).click();
  await page
    .getByRole('button', { name: /#4 Tool calls/ })
    .first()
    .click();
  await press(panel, 'Write again with …', true);
  await page.getByRole('button', { name: 'Keep the new text' }).waitFor();
}

async function askBoth(panel: OpenPanel): Promise<void> {
  await openPreview(panel);
  await press(panel, 'Ask both: does the model still know?');
  await panel.page.getByRole('textbox', { name: /Questions of your own/ }).fill('Which test failed last?');
  await press(panel, 'Ask 4 questions');
  await panel.page.getByText(/Answered by/).waitFor();
}

async function openComparison(panel: OpenPanel): Promise<void> {
  await press(panel, 'More actions');
  await panel.page.getByRole('menuitem', { name: 'Compare strategies' }).click();
  await panel.page.getByRole('button', { name: 'Compare again' }).waitFor();
}

async function openPicker({ page }: OpenPanel): Promise<void> {
  await page.locator('.opener').click();
  await page.getByRole('option').first().waitFor();
}

async function openKeys({ page }: OpenPanel): Promise<void> {
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
}

async function failOnce(panel: OpenPanel): Promise<void> {
  panel.host.failure = 'The journal of this session cannot be written: permission denied';
  await press(panel, 'Auto-compact');
  panel.host.failure = null;
}

async function showOpening({ host }: OpenPanel): Promise<void> {
  host.notify('opening-changed', { opening: { file: '/work/sessions/a-long-session.jsonl', size: 41_000_000 } });
}

async function press({ page }: OpenPanel, name: string, exact = false): Promise<void> {
  await page.getByRole('button', { name, exact }).or(page.getByRole('switch', { name })).first().click();
}

const themes: readonly ThemeName[] = ['dark', 'light', 'high-contrast', 'high-contrast-light'];
const sizes = [
  { width: 1_280, height: 800, placement: 'editor' },
  { width: 320, height: 800, placement: 'view' },
] as const;

async function look(browser: PanelBrowser, { options, prepare }: State, chosen: PanelOptions): Promise<string[]> {
  const panel = await browser.open({ ...chosen, ...options });
  try {
    await prepare?.(panel);
    await settled(panel.page);
    return [...(await violationsOf(panel.page)), ...panel.complaints];
  } catch (error) {
    return [`could not be shown: ${error instanceof Error ? error.message.split('\n')[0] : error}`];
  } finally {
    await panel.close();
  }
}

const wanted = process.argv.slice(2);
const browser = await PanelBrowser.launch();
let count = 0;
for (const theme of themes) {
  for (const size of sizes) {
    for (const state of states) {
      const name = `${state.name}, ${theme}, ${size.width}`;
      if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
      const violations = await look(browser, state, { theme, ...size });
      count += violations.length;
      console.log(`${violations.length === 0 ? '✓' : '✗'} ${name}`);
      for (const violation of violations) console.error(`    ${violation}`);
    }
  }
}
await browser.close();
if (count > 0) process.exitCode = 1;

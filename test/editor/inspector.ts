import { join } from 'node:path';
import { errors, type FrameLocator, type Locator } from 'playwright-core';
import type { Settings } from './browser-editor/settings.ts';
import type { Workbench, WorkbenchOptions } from './browser-editor/workbench.ts';
import { temporaryFolder } from './processes/temporary-folder.ts';
import { prepareSampleWorkspace } from './sample-workspace.ts';
import type { OpenEditor } from './walk.ts';

export interface Sample {
  readonly workbench: Workbench;
  /** The copy of the session. The walk may change it. */
  readonly session: string;
}

/** Makes blocks of every tier. The ladder would reach its target in the sample session before it makes them. */
const allTiers: Settings = { 'strata.compaction.strategy': 'pipeline' };

/** Puts programs into a home. */
type BringPrograms = (home: string) => Promise<void>;

/**
 * An editor on the sample workspace, with a home of its own, so that no session of this machine is listed. Without
 * options, other walks use its server too.
 */
export async function openSample(
  openEditor: OpenEditor,
  settings: Settings = {},
  how?: WorkbenchOptions | BringPrograms,
): Promise<Sample> {
  let session = '';
  const options = typeof how === 'function' ? undefined : how;
  const fillHome = async (home: string) => {
    if (typeof how === 'function') await how(home);
    const workspace = await prepareSampleWorkspace(join(home, 'sample'));
    if (workspace.session.kind === 'missing') throw new Error('The sample session is missing.');
    session = workspace.session.path;
    return { folder: workspace.folder, settings: { ...workspace.settings, ...allTiers, ...settings } };
  };
  if (options === undefined) return { workbench: await openEditor(fillHome), session };
  const home = temporaryFolder();
  const workbench = await openEditor({ ...(await fillHome(home)), environment: { HOME: home }, ...options });
  return { workbench, session };
}

/** Opens the inspector in an editor tab, with the first session of the list. */
export async function openInTab(workbench: Workbench): Promise<FrameLocator> {
  await workbench.runCommand('Strata: Open Inspector in Editor');
  return await pickFirstSession(workbench.editorWebview());
}

/** Opens the inspector in the side bar, with the first session of the list. */
export async function openInSideBar(workbench: Workbench): Promise<FrameLocator> {
  await workbench.runCommand('View: Show Strata');
  return await pickFirstSession(workbench.sideBarWebview());
}

async function pickFirstSession(panel: FrameLocator): Promise<FrameLocator> {
  await panel.locator('.opener').click();
  await panel.getByRole('option').first().click();
  await panel.getByRole('tree').waitFor();
  return panel;
}

/**
 * Compacts with the chosen strategy, by preview and Apply. If a late message makes the preview outdated, it is made
 * again first.
 */
export async function compactAll(panel: FrameLocator): Promise<void> {
  await panel.getByRole('button', { name: 'Compact…' }).click();
  await panel.getByRole('region', { name: 'What would change' }).waitFor();
  const isOld = panel.getByText(/^The session has new messages since this preview/);
  const apply = panel.getByRole('button', { name: 'Apply', disabled: false });
  await apply.or(isOld).first().waitFor();
  if (await isOld.isVisible()) await panel.getByRole('button', { name: 'Preview again' }).first().click();
  await apply.click();
  await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
}

/** Opens the newest run in the list of compactions, and its goal batch if it has other blocks too. */
export async function openGoalBatch(panel: FrameLocator): Promise<void> {
  await openNewestRun(panel);
  const block = panel.getByRole('button', { name: /#\d+ Goal batch/ }).first();
  if (await block.isVisible()) await block.click();
  await panel.getByRole('button', { name: 'Open in diff editor' }).waitFor();
}

/** Opens the newest run in the list of compactions. */
export async function openNewestRun(panel: FrameLocator): Promise<void> {
  await panel.getByRole('tab', { name: /Compactions/ }).click();
  await panel.locator('[data-compaction]').first().click();
  await panel
    .getByText(/messages? of the person/)
    .first()
    .waitFor();
}

/** Rows of the timeline by their accessible name. */
export function rows(panel: FrameLocator, name: RegExp): Locator {
  return panel.getByRole('treeitem', { name });
}

const ATTEMPTS_TO_PRESS = 6;
const PRESS_TIMEOUT_MS = 5_000;

/**
 * Presses a button that a row shows while the pointer is over it, until `result` appears. While texts are counted, a
 * row can move away from the pointer before or just after the click.
 */
export async function pressInRow(row: Locator, button: string, result: Locator): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await row.hover({ timeout: PRESS_TIMEOUT_MS });
      await row.getByRole('button', { name: button }).click({ timeout: PRESS_TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error;
    }
    try {
      return await result.waitFor({ timeout: PRESS_TIMEOUT_MS });
    } catch (error) {
      if (attempt === ATTEMPTS_TO_PRESS) throw error;
    }
  }
}

/** Scrolls to the top, where blocks and core are. The newest rows are at the bottom. */
export async function goToTop(panel: FrameLocator): Promise<void> {
  await panel.getByRole('tree').focus();
  await panel.getByRole('tree').press('Home');
}

/** The accessible label of the gauge once all is counted: tokens in all, and of each kind. */
export async function gaugeLabel(panel: FrameLocator): Promise<string | null> {
  return await gauges(panel).last().getAttribute('aria-label');
}

/** The gauges: what the agent has now, if it differs, and what is shown. */
export function gauges(panel: FrameLocator): Locator {
  return panel.getByRole('img', { name: /^(?!.*counting).* of [\d.]+[kM]/ });
}

/** The tokens at the beginning of a gauge's label, such as `91.2k of 200k`. */
export function tokensIn(label: string | null): number {
  const [, number = '', unit = ''] = /([\d.]+)(k?) of 200k/.exec(label ?? '') ?? [];
  return Number(number) * (unit === 'k' ? 1000 : 1);
}

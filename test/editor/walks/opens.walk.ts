import assert from 'node:assert/strict';
import { appears, emptyWorkspace } from '../browser-editor/workbench.ts';
import { strata } from '../strata.ts';
import { walk } from '../walk.ts';

const ATTEMPTS_TO_SHOW = 4;
const LOG_TIMEOUT_MS = 5_000;

walk('an editor opens with Strata installed, which activates without an error', async (openEditor) => {
  const workbench = await openEditor(async (home) => ({ folder: await emptyWorkspace(home) }));
  // VS Code knows a log a moment after its extension has created it, and does not show an unknown one.
  const log = workbench.page.locator('.part.panel .output-view');
  for (let attempt = 1; attempt <= ATTEMPTS_TO_SHOW; attempt += 1) {
    await workbench.runCommand('Strata: Show Log');
    if (await appears(log, LOG_TIMEOUT_MS)) break;
  }
  // The log takes the focus when it opens, which would close the list of running extensions.
  await log.waitFor();
  await workbench.runCommand('Developer: Show Running Extensions');
  const row = workbench.page.locator('.runtime-extensions-editor .extension').filter({ hasText: strata.displayName });
  await row.getByText(/Activation: \d+ms$/).waitFor();
  assert.deepEqual(await workbench.errorNotifications(), []);
  await workbench.takeScreenshot('opens');
});

import assert from 'node:assert/strict';
import { emptyWorkspace } from '../browser-editor/workbench.ts';
import { strata } from '../strata.ts';
import { walk } from '../walk.ts';

walk('an editor opens with Strata installed, which activates without an error', async (openEditor) => {
  const workbench = await openEditor(async (home) => ({ folder: await emptyWorkspace(home) }));
  await workbench.runCommand('Strata: Show Log');
  // The log takes the focus when it opens, which would close the list of running extensions.
  await workbench.page.locator('.part.panel .output-view').waitFor();
  await workbench.runCommand('Developer: Show Running Extensions');
  const row = workbench.page.locator('.runtime-extensions-editor .extension').filter({ hasText: strata.displayName });
  await row.getByText(/Activation: \d+ms$/).waitFor();
  assert.deepEqual(await workbench.errorNotifications(), []);
  await workbench.takeScreenshot('opens');
});

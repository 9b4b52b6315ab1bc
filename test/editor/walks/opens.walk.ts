import assert from 'node:assert/strict';
import { strata } from '../strata.ts';
import { walk } from '../walk.ts';

walk('an editor opens with Strata installed, which activates without an error', async (openEditor) => {
  const workbench = await openEditor();
  await workbench.runCommand('Strata: Show Log');
  await workbench.runCommand('Extensions: Show Installed Extensions');
  const row = workbench.page.locator('.extension-list-item').filter({ hasText: strata.displayName });
  const activationTime = row.getByText(/^\d+ms$/);
  await activationTime.waitFor();
  assert.deepEqual(await workbench.errorNotifications(), []);
  await workbench.takeScreenshot('opens');
});

import assert from 'node:assert/strict';
import { prepareSampleWorkspace } from '../sample-workspace.ts';
import { walk } from '../walk.ts';

walk('the panel in the side bar shows a real session', async (openEditor) => {
  const workspace = await prepareSampleWorkspace();
  const workbench = await openEditor({
    folder: workspace.folder,
    settings: { 'strata.sessions.folders': [workspace.folder] },
  });
  await workbench.runCommand('Strata: Open Inspector in Editor');
  const panel = workbench.editorWebview();
  await panel.getByRole('button', { name: /Pick a session/ }).waitFor();
  await workbench.takeScreenshot('tab-empty');
  await panel.getByRole('button', { name: /Pick a session/ }).click();
  await panel.getByRole('option').first().click();
  await panel.getByRole('tree').waitFor();
  await workbench.page.waitForTimeout(1000);
  await workbench.takeScreenshot('tab-opened');
  assert.deepEqual(await workbench.errorNotifications(), []);
});

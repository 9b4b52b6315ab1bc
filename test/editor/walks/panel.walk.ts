import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { gaugeLabel, goToTop, openGoalBatch, openInTab, openSample, rows } from '../inspector.ts';
import { walk } from '../walk.ts';

/** Walks with what a person does with a session, on a real one, in a real editor. */

const constraint = 'Never rewrite tui-renderer.ts in place.';

walk('a real session is compacted after a preview, read, undone, redone and pinned to', async (openEditor) => {
  const { workbench, session } = await openSample(openEditor);
  const untouched = await hashOf(session);
  const panel = await openInTab(workbench);
  const before = await gaugeLabel(panel);

  await panel.getByRole('button', { name: 'Compact…' }).click();
  await panel.getByRole('region', { name: 'What would change' }).waitFor();
  assert.equal(await gaugeLabel(panel), before, 'A preview changes nothing.');
  await workbench.takeScreenshot('walk-preview');
  await panel.getByRole('button', { name: 'Apply' }).click();
  await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
  const compacted = await gaugeLabel(panel);
  assert.notEqual(compacted, before);

  await goToTop(panel);
  await rows(panel, /^goal batch/)
    .first()
    .click();
  await panel.getByRole('tree').press('Enter');
  await panel.getByRole('tree').press('ArrowRight');
  await rows(panel, /^turn 12, user/).waitFor();
  await openGoalBatch(panel);
  await workbench.takeScreenshot('walk-compaction');

  await panel.getByRole('button', { name: 'Open in diff editor' }).click();
  await workbench.page.locator('.modified-in-monaco-diff-editor').getByText('[GOAL BATCH]').waitFor();
  await workbench.takeScreenshot('walk-diff-editor');
  await workbench.runCommand('View: Close Editor');

  await panel.getByRole('button', { name: /^Undo: compaction #1$/ }).click();
  await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();
  assert.equal(await gaugeLabel(panel), before);
  await panel.getByRole('button', { name: /^Redo:/ }).click();
  await panel.getByRole('button', { name: 'Nothing to redo' }).waitFor();
  assert.equal(await gaugeLabel(panel), compacted);

  await workbench.runAndChoose('Strata: Pin…', 'Pin a constraint');
  await workbench.answer(constraint);
  await panel.getByRole('tab', { name: /Core/ }).click();
  await panel.getByText(constraint).first().waitFor();
  await goToTop(panel);
  await rows(panel, /^core/).click();
  await panel.getByRole('tree').getByText(constraint).waitFor();
  await workbench.takeScreenshot('walk-pinned');

  assert.equal(await hashOf(session), untouched, 'The agent’s file is only read.');
  assert.deepEqual(await workbench.errorNotifications(), []);
});

async function hashOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

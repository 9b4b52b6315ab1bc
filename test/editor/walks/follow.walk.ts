import assert from 'node:assert/strict';
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { openInTab, openSample, rows } from '../inspector.ts';
import { message } from '../session-records.ts';
import { walk } from '../walk.ts';

/** Walks with a session that continues while a person looks at it. */

walk(
  'appended messages show at once and only once, and a broken or shorter file is reported with its line',
  async (openEditor) => {
    const { workbench, session } = await openSample(openEditor);
    const panel = await openInTab(workbench);
    const lines = [message('user', 'Is this followed?'), message('assistant', 'Every line of it.')];
    await appendFile(session, lines[0] ?? '');
    await rows(panel, /Is this followed\?/).waitFor();
    const torn = lines[1] ?? '';
    await appendFile(session, torn.slice(0, 40));
    await workbench.page.waitForTimeout(500);
    assert.equal(await rows(panel, /Every line of it/).count(), 0);
    await appendFile(session, torn.slice(40));
    await rows(panel, /Every line of it/).waitFor();
    assert.equal(await rows(panel, /Is this followed\?/).count(), 1);
    assert.equal(await rows(panel, /Every line of it/).count(), 1);

    assert.equal(await panel.getByRole('switch', { name: 'Auto-compact' }).isDisabled(), true);
    await workbench.page.waitForTimeout(8000);
    await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();

    await appendFile(session, '{"type":"message", torn in the middle\n');
    await panel.getByText(/:462/).waitFor();
    const whole = await readFile(session);
    await truncate(session, whole.lastIndexOf('\n', whole.length - 200) + 1);
    await panel
      .getByRole('button', { name: /more/ })
      .or(panel.getByText(/read again/))
      .first()
      .waitFor();
    await workbench.takeScreenshot('walk-shrunk');
    await writeFile(session, whole);
  },
);

import assert from 'node:assert/strict';
import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { openInTab, openSample, rows } from '../inspector.ts';
import { message } from '../session-records.ts';
import { walk } from '../walk.ts';

/** Walks with a session that continues while a person looks at it. */

walk(
  'what an agent appends shows at once, each message once, and a torn line only when it is whole',
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
  },
);

walk(
  'a session file that shrinks or breaks while it is followed is reported with file and line',
  async (openEditor) => {
    const { workbench, session } = await openSample(openEditor);
    const panel = await openInTab(workbench);
    await appendFile(session, '{"type":"message", torn in the middle\n');
    await panel.getByText(/:460/).waitFor();
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

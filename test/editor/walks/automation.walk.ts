import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gaugeLabel, openInTab, openSample, rows } from '../inspector.ts';
import { message } from '../session-records.ts';
import { walk } from '../walk.ts';

/** Walks with compactions that start by themselves, in a session that continues. */

/** The former value of `none`. People's settings may still contain it. */
const formerNone = 'extractive';

walk(
  'a session with Strata inside is compacted by itself at the end of a turn, and can be undone',
  async (openEditor) => {
    // Until the person has chosen who writes, the agent's own model does.
    const { workbench, session } = await openSample(openEditor, { 'strata.summarizer.kind': formerNone });
    await callFromInside(session);
    const panel = await openInTab(workbench);
    const before = await gaugeLabel(panel);
    await workbench.page.waitForTimeout(8000);
    assert.equal(await gaugeLabel(panel), before, 'Opening a session that is over compacts nothing.');

    await appendFile(session, message('user', 'Go on, please.'));
    await rows(panel, /Go on, please/).waitFor();
    await workbench.page.waitForTimeout(8000);
    await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();

    await appendFile(session, message('assistant', 'It is done.'));
    const notice = await workbench.waitForNotification(/Strata prepared a compaction for pi/);
    await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
    const notices = panel.getByRole('region', { name: 'Notices on this session' });
    await notices.getByText(/After its next compaction \(\/compact\) it continues with [\d.]+k/).waitFor();
    await workbench.takeScreenshot('walk-compacted-by-itself');
    await notice.getByRole('button', { name: 'Undo' }).click();
    await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();

    await appendFile(session, message('user', 'And now?') + message('assistant', 'Nothing more.'));
    await rows(panel, /Nothing more/).waitFor();
    await workbench.page.waitForTimeout(8000);
    await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();
  },
);

/** Leaves the mark that Strata's plugin in pi leaves when a session starts. */
async function callFromInside(session: string): Promise<void> {
  const [first = ''] = (await readFile(session, 'utf8')).split('\n');
  const home = dirname(dirname(dirname(session)));
  const file = join(home, `.local/share/strata/agents/inside/pi-${JSON.parse(first).id}.json`);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ calledAt: new Date().toISOString() }));
}

import assert from 'node:assert/strict';
import { appendFile, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { clipboardText } from '../clipboard.ts';
import { openInSideBar, openSample, rows } from '../inspector.ts';
import { message } from '../session-records.ts';
import { walk } from '../walk.ts';

/** Walks with an agent that compacts by itself while a person watches. */

walk(
  'what the agent no longer has is shown at once, can be copied in part as the next prompt, and disappears once that was sent',
  async (openEditor) => {
    const { workbench, session } = await openSample(openEditor);
    const [compaction, ...later] = await cutBeforeCompaction(session);
    const panel = await openInSideBar(workbench);
    const rescue = panel.getByRole('region', { name: 'What the agent no longer has' });
    assert.equal(await rescue.count(), 0);

    await appendFile(session, `${compaction}\n`);
    await workbench.waitForNotification(/pi compacted its context, which no longer has: \d of your messages/);
    await rescue.getByText(/pi compacted its context, which no longer has/).waitFor();
    await rescue.getByRole('button', { name: 'Show it' }).click();
    await rescue.getByText(/this plan must be written in such a way/).waitFor();
    await workbench.takeScreenshot('rescue');

    await rescue.getByRole('checkbox').first().uncheck();
    await rescue.getByRole('button', { name: 'Copy as prompt' }).click();
    await rescue.getByText('Paste it as your next prompt.').waitFor();
    const part = await clipboardText(workbench);
    assert.match(part, /I said, word for word:\n- .*this plan must be written in such a way/s);
    assert.doesNotMatch(part, /one big mess/);
    await rescue.getByRole('checkbox').first().check();
    await rescue.getByRole('button', { name: 'Copy as prompt' }).click();
    await rescue.getByText('Paste it as your next prompt.').waitFor();
    const prompt = await clipboardText(workbench);
    assert.match(prompt, /^Your context was compacted, and it no longer has the following\..*one big mess/s);

    await appendFile(session, message('user', prompt));
    await rows(panel, /Your context was compacted/).waitFor();
    await rescue.waitFor({ state: 'detached' });
    assert.ok(later.length > 0);
  },
);

walk('the palette copies what the last compaction forgot, or says that there is none', async (openEditor) => {
  const { workbench, session } = await openSample(openEditor, { 'strata.rescue.notify': false });
  const [compaction] = await cutBeforeCompaction(session);
  const panel = await openInSideBar(workbench);
  await workbench.runCommand('Strata: Copy What the Last Compaction Forgot');
  await workbench.waitForNotification(/pi has not summarized its context in this session/);

  await appendFile(session, `${compaction}\n`);
  await panel.getByRole('region', { name: 'What the agent no longer has' }).waitFor();
  const told = workbench.page.locator('.notification-list-item', {
    hasText: 'compacted its context, which no longer has',
  });
  assert.equal(await told.count(), 0, 'The setting switches the notification off.');
  await workbench.runCommand('Strata: Copy What the Last Compaction Forgot');
  await workbench.waitForNotification(/Copied what pi no longer has \(\d+ items\)/);
  assert.match(await clipboardText(workbench), /^Your context was compacted/);
});

/** Cuts the session off before its compaction, without changing its time. Returns the lines from the compaction on. */
async function cutBeforeCompaction(session: string): Promise<string[]> {
  const { atime, mtime } = await stat(session);
  const lines = (await readFile(session, 'utf8')).trimEnd().split('\n');
  const at = lines.findIndex((line) => JSON.parse(line).type === 'compaction');
  await writeFile(session, `${lines.slice(0, at).join('\n')}\n`);
  await utimes(session, atime, mtime);
  return lines.slice(at);
}

import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { emptyWorkspace } from '../browser-editor/workbench.ts';
import { projectFolder } from '../paths.ts';
import { walk } from '../walk.ts';

/** Walks with sessions that are not one whole file. */

const fixtures = join(projectFolder, 'test/fixtures');

walk(
  'a broken session says what is wrong and is mended in a fork; a continued one is read with its first part',
  async (openEditor) => {
    let broken = '';
    const workbench = await openEditor(async (home) => {
      broken = await writeBroken(home);
      await writeContinued(home);
      return { folder: await emptyWorkspace(home) };
    });
    await workbench.runCommand('Strata: Open Inspector in Editor');
    const panel = workbench.editorWebview();
    await panel.locator('.opener').click();
    await panel.getByRole('option', { name: 'pi' }).first().click();
    await panel.getByText('A record was cut off in this line').waitFor();
    await workbench.takeScreenshot('walk-broken-session');
    await panel.getByRole('button', { name: 'Mend in a fork' }).click();
    const notice = await workbench.waitForNotification(/A new session of pi was written/);
    const names = (await readdir(dirname(broken))).filter((name) => name !== 'broken.jsonl');
    assert.equal(names.length, 1);
    await notice.getByRole('button', { name: 'Inspect' }).click();
    await panel.getByText('A record was cut off in this line').waitFor({ state: 'hidden' });
    await workbench.takeScreenshot('walk-broken-session-mended');

    await panel.locator('.opener').click();
    await panel.getByRole('option', { name: /Second turn/ }).click();
    const earlier = panel.getByRole('treeitem', { name: /not in this context/ });
    const before = panel.getByRole('treeitem', { name: /^user, List the files/ });
    await earlier.click();
    await before.waitFor();
    await workbench.takeScreenshot('walk-earlier-session');
    await before.click();
    await panel.locator('.detail').first().waitFor();
    await workbench.takeScreenshot('walk-earlier-session-row');
    await earlier.locator('.twistie').click();
    await before.waitFor({ state: 'hidden' });
  },
);

/** A session of pi in which the end of a record is missing. */
async function writeBroken(home: string): Promise<string> {
  const file = join(home, '.pi/agent/sessions/--scratch--/broken.jsonl');
  const whole = await readFile(join(fixtures, 'pi-0.87/before-compaction.jsonl'), 'utf8');
  const lines = whole.replaceAll('/home/ada/scratch', home).trimEnd().split('\n');
  const broken = [...lines.slice(0, 6), `${lines[6]?.slice(0, 60)}${lines[7]}`, ...lines.slice(8)];
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${broken.join('\n')}\n`);
  return file;
}

/** A session of Claude Code in two files, of which the later one continues the first. */
async function writeContinued(home: string): Promise<void> {
  const folder = join(home, '.claude/projects/-scratch');
  const whole = await readFile(join(fixtures, 'claude-code-2.1.330/before-compaction.jsonl'), 'utf8');
  const rows = whole.trimEnd().split('\n');
  const prompt = rows.findIndex((row) => JSON.parse(row).type === 'user' && row.includes('Second turn'));
  const later = rows.slice(prompt).map((row) => JSON.stringify({ ...JSON.parse(row), sessionId: 'later' }));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'first.jsonl'), `${rows.slice(0, prompt).join('\n')}\n`);
  await writeFile(join(folder, 'later.jsonl'), `${later.join('\n')}\n`);
}

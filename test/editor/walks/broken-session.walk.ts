import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { emptyWorkspace } from '../browser-editor/workbench.ts';
import { projectFolder } from '../paths.ts';
import { walk } from '../walk.ts';

const fixture = join(projectFolder, 'test/fixtures/pi-0.87/before-compaction.jsonl');

walk('a broken session says what is wrong with it, and a whole one is forked from it', async (openEditor) => {
  let file = '';
  const workbench = await openEditor(async (home) => {
    file = join(home, '.pi/agent/sessions/--scratch--/broken.jsonl');
    const lines = (await readFile(fixture, 'utf8')).replaceAll('/home/ada/scratch', home).trimEnd().split('\n');
    const broken = [...lines.slice(0, 6), `${lines[6]?.slice(0, 60)}${lines[7]}`, ...lines.slice(8)];
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${broken.join('\n')}\n`);
    return { folder: await emptyWorkspace(home) };
  });
  await workbench.runCommand('Strata: Open Inspector in Editor');
  const panel = workbench.editorWebview();
  await panel.locator('.opener').click();
  await panel.getByRole('option').first().click();
  await panel.getByText('A record was cut off in this line').waitFor();
  await workbench.takeScreenshot('walk-broken-session');
  await panel.getByRole('button', { name: 'Mend in a fork' }).click();
  const notice = await workbench.waitForNotification(/A new session of pi was written/);
  const names = (await readdir(dirname(file))).filter((name) => name !== 'broken.jsonl');
  assert.equal(names.length, 1);
  await notice.getByRole('button', { name: 'Inspect' }).click();
  await panel.getByText('A record was cut off in this line').waitFor({ state: 'hidden' });
  await workbench.takeScreenshot('walk-broken-session-mended');
});

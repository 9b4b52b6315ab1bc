import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyWorkspace } from '../browser-editor/workbench.ts';
import { projectFolder } from '../paths.ts';
import { walk } from '../walk.ts';

const fixture = join(projectFolder, 'test/fixtures/claude-code-2.1.330/before-compaction.jsonl');

walk('a session that continues another one is read together with it', async (openEditor) => {
  const rows = (await readFile(fixture, 'utf8')).trimEnd().split('\n');
  const prompt = rows.findIndex((row) => JSON.parse(row).type === 'user' && row.includes('Second turn'));
  const later = rows.slice(prompt).map((row) => JSON.stringify({ ...JSON.parse(row), sessionId: 'later' }));
  const workbench = await openEditor(async (home) => {
    const folder = join(home, '.claude/projects/-scratch');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'first.jsonl'), `${rows.slice(0, prompt).join('\n')}\n`);
    await writeFile(join(folder, 'later.jsonl'), `${later.join('\n')}\n`);
    return { folder: await emptyWorkspace(home) };
  });
  await workbench.runCommand('Strata: Open Inspector in Editor');
  const panel = workbench.editorWebview();
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
});

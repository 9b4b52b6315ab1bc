import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openInSideBar, openInTab, openSample } from '../inspector.ts';
import { projectFolder } from '../paths.ts';
import { themes } from '../themes.ts';
import { walk } from '../walk.ts';

/** Walks that show what the system tokens consist of. */

walk('the timeline says what the system tokens consist of, with memory files from the disk', async (openEditor) => {
  const { workbench, session } = await openSample(openEditor, { 'workbench.colorTheme': themes.dark });
  const work = join(dirname(session), 'work');
  await mkdir(work);
  await writeFile(join(work, 'CLAUDE.md'), `# Rules\n\nSee @style.md\n\n${'Be brief and exact. '.repeat(200)}`);
  await writeFile(join(work, 'style.md'), 'Two spaces. '.repeat(300));
  const fixture = join(projectFolder, 'test/fixtures/claude-code-2.1.14/auto-compaction.jsonl');
  const text = await readFile(fixture, 'utf8');
  await writeFile(
    join(dirname(session), 'claude.jsonl'),
    text.replace(/"cwd":"[^"]*"/g, `"cwd":${JSON.stringify(work)}`),
  );
  await workbench.runCommand('View: Close Primary Side Bar');
  const panel = await openInTab(workbench);
  await panel.getByRole('button', { name: /^System: prompt, tools and memory files/ }).click();
  const pieces = panel.getByRole('list', { name: 'What the system tokens consist of' });
  const shown = await pieces.getByRole('listitem').allInnerTexts();
  assert.ok(
    shown.some((piece) => /CLAUDE\.md \(memory file\)\s+about/.test(piece)),
    shown.join('\n'),
  );
  assert.ok(
    shown.some((piece) => /style\.md \(memory file\)\s+about/.test(piece)),
    shown.join('\n'),
  );
  assert.match(shown.at(-1) ?? '', /^Not known/);
  await workbench.takeScreenshot('system-pieces');
  const view = await openInSideBar(workbench);
  await view.getByRole('button', { name: /^System: prompt, tools and memory files/ }).click();
  await workbench.takeScreenshot('system-pieces-side-bar');
});

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { openSample, rows } from '../inspector.ts';
import { walk } from '../walk.ts';

/** Walks with hostile content: text of a session is shown as text, whatever it imitates. */

const markup = [
  '<img src="https://evil.example/pixel.png" onerror="window.hit = 1">',
  '<script>window.hit = 2</script><iframe src="https://evil.example"></iframe><style>* { display: none }</style>',
  '![pixel](https://evil.example/markdown.png) [script](javascript:window.hit=3) [quit](command:workbench.action.quit)',
  '[somewhere](https://example.com/some/page) {@html "<b>bold</b>"} <svg onload="window.hit = 4">',
].join('\n\n');

const marks =
  'invoice\u202Egpj.exe \u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link \u200Bzero \uD800alone';

const longLine = `long-line ${'x'.repeat(10_000_000)}`;

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="window.hit = 5"/>').toString('base64');

walk('hostile content of a session shows as inert text', async (openEditor) => {
  const { workbench, session } = await openSample(openEditor);
  const asked: string[] = [];
  workbench.page.on('request', (request) => asked.push(request.url()));
  const file = join(dirname(session), 'hostile.jsonl');
  await writeFile(file, hostileSession());

  await workbench.runCommand('Strata: Open Inspector in Editor');
  const panel = workbench.editorWebview();
  await panel.locator('.opener').click();
  await panel
    .getByRole('option', { name: /onerror/ })
    .first()
    .click();
  await rows(panel, /long-line xxx/).waitFor();

  const said = rows(panel, /^assistant.*<img src/);
  await said.click();
  await panel.getByText('<script>window.hit = 2</script>', { exact: false }).first().waitFor();
  await workbench.takeScreenshot('walk-hostile');
  await proveInert(panel);

  await panel.getByRole('button', { name: 'somewhere' }).click();
  const dialog = workbench.page.locator('.monaco-dialog-box');
  await dialog.getByText(/https:\/\/example\.com\/some\/page/).waitFor();
  await workbench.takeScreenshot('walk-hostile-link');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await rows(panel, /invoice/).click();
  await rows(panel, /long-line/).click();
  await panel
    .getByText(/The whole text is/)
    .first()
    .waitFor();
  await workbench.takeScreenshot('walk-hostile-marks');
  await proveInert(panel);

  assert.deepEqual(
    asked.filter((url) => url.includes('evil.example') || url.includes('example.com')),
    [],
    'Nothing is loaded that a session names.',
  );
});

async function proveInert(panel: FrameLocator): Promise<void> {
  const found = await panel.locator('body').evaluate((body) => {
    const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    let longest = 0;
    let all = '';
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const text = node.textContent ?? '';
      longest = Math.max(longest, text.length);
      all += text;
    }
    return {
      hit: 'hit' in window,
      foreign: body.querySelectorAll('iframe, object, embed, svg[onload], img[src^="http"], a[href^="javascript"], b')
        .length,
      scripts: body.querySelectorAll('#strata script').length,
      isLong: longest > 200_000,
      hidden: ['\u001B', '\u202D', '\u202E', '\u2066'].some((mark) => all.includes(mark)),
      broken: !all.isWellFormed(),
    };
  });
  assert.deepEqual(found, { hit: false, foreign: 0, scripts: 0, isLong: false, hidden: false, broken: false });
}

/** A session in the format of pi, version 1. */
function hostileSession(): string {
  const time = new Date().toISOString();
  const text = (said: string) => ({ type: 'text', text: said });
  const record = (role: string, ...content: unknown[]) => ({
    type: 'message',
    timestamp: time,
    message: { role, content },
  });
  const records = [
    { type: 'session', id: '00000000-0000-4000-8000-00000000c0de', timestamp: time, cwd: '/home/ada/<b>scratch</b>' },
    record('user', text(markup.slice(0, 100)), { type: 'image', mimeType: 'image/svg+xml', data: svg }),
    record('assistant', text(markup)),
    record('user', text(marks)),
    record('assistant', text(longLine)),
  ];
  return records.map((each) => `${JSON.stringify(each)}\n`).join('');
}

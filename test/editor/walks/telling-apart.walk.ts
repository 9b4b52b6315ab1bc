import assert from 'node:assert/strict';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { openInTab, openSample } from '../inspector.ts';
import { projectFolder } from '../paths.ts';
import { walk } from '../walk.ts';

/** Walks that show how sessions are distinguished, and what is on screen while another one loads. */

/** Bytes. */
const LONG_SESSION = 4 * 1024 * 1024;

walk(
  'sessions are told apart in lists, and one of 4 MB never shows the header of the one before',
  async (openEditor) => {
    const { workbench, session } = await openSample(openEditor);
    const ofClaudeCode = join(projectFolder, 'test/fixtures/claude-code-2.1.14/auto-compaction.jsonl');
    await copyFile(ofClaudeCode, join(dirname(session), 'claude.jsonl'));
    const panel = await openInTab(workbench);
    await panel.locator('.opener').click();
    await panel.getByRole('option').nth(1).waitFor();
    await workbench.takeScreenshot('telling-apart-picker');
    const listed = await panel.getByRole('option').allInnerTexts();
    assert.ok(
      listed.some((text) => /\d+ %[\s\S]*feat\/gemini-cli-agent/.test(text)),
      listed.join('\n'),
    );
    await panel.getByRole('combobox', { name: 'Search sessions' }).press('Escape');
    await workbench.runCommand('Strata: Open Session…');
    await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: 'feat/gemini-cli-agent' }).waitFor();
    await workbench.takeScreenshot('telling-apart-quick-pick');
    await workbench.page.keyboard.press('Escape');
    await workbench.runCommand('View: Show Strata');
    const header = workbench.page.getByRole('button', { name: /^Sessions Section/ });
    if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
    await workbench.page.getByRole('treeitem', { name: /\d+ %, Claude Code, feat\/gemini-cli-agent/ }).waitFor();
    await workbench.takeScreenshot('telling-apart-view');
    await workbench.runCommand('View: Close Primary Side Bar');

    await writeLongSession(session, join(dirname(session), 'long.jsonl'));
    await panel.locator('.opener').click();
    const long = panel.getByRole('option', { name: /A long session/ });
    await long.waitFor();
    await watchHeader(panel);
    await long.click();
    const frames = await framesUntilRows(panel);
    const clicked = frames[0]?.time ?? 0;
    const took = (frames.at(-1)?.time ?? 0) - clicked;
    console.log(`    rows of a 4 MB session after ${Math.round(took)} ms`);
    await workbench.takeScreenshot('telling-apart-long');
    const mixed = frames.filter(({ title, isGaugeShown }) => title.includes('A long session') && isGaugeShown);
    assert.ok(
      mixed.every(({ gauge }) => gauge === frames.at(-1)?.gauge),
      JSON.stringify(mixed.slice(0, 3)),
    );
  },
);

interface Frame {
  /** Milliseconds. */
  readonly time: number;
  readonly title: string;
  readonly gauge: string;
  readonly isGaugeShown: boolean;
  readonly rows: number;
}

/** Records what the panel shows in every frame from the next click on, until it has rows of the long session. */
async function watchHeader(panel: FrameLocator): Promise<void> {
  await panel.locator('body').evaluate((body) => {
    const frames: Frame[] = [];
    Object.assign(body.ownerDocument.defaultView ?? {}, { strataFrames: frames });
    const note = () => {
      const gauge = body.querySelector('.gauge');
      const first = body.querySelector('[role="treeitem"]')?.textContent ?? '';
      frames.push({
        time: performance.now(),
        title: body.querySelector('.opener')?.textContent ?? '',
        gauge: body.querySelector('.gauge [role="img"]')?.getAttribute('aria-label')?.split(':')[0] ?? '',
        isGaugeShown: gauge !== null && getComputedStyle(gauge).visibility === 'visible',
        rows: body.querySelector('.opening') || first === '' ? 0 : 1,
      });
      const last = frames.at(-1);
      if (last?.title.includes('A long session') && last.isGaugeShown && last.rows > 0) return;
      requestAnimationFrame(note);
    };
    body.addEventListener('click', () => note(), { once: true, capture: true });
  });
}

async function framesUntilRows(panel: FrameLocator): Promise<readonly Frame[]> {
  const ended = () =>
    panel.locator('body').evaluate((body) => {
      const { strataFrames: frames } = body.ownerDocument.defaultView as unknown as { strataFrames: Frame[] };
      const last = frames.at(-1);
      return last?.title.includes('A long session') && last.isGaugeShown && last.rows > 0 ? frames : null;
    });
  for (;;) {
    const frames = await ended();
    if (frames !== null) return frames;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Writes a session of the sample's repeated messages, with a title of its own. */
async function writeLongSession(sample: string, file: string): Promise<void> {
  const [header = '', ...lines] = (await readFile(sample, 'utf8')).trimEnd().split('\n');
  const messages = lines.filter((line) => line.includes('"type":"message"'));
  const prompt = {
    type: 'message',
    timestamp: '2025-12-08T10:00:00Z',
    message: { role: 'user', content: 'A long session' },
  };
  const written = [header, JSON.stringify(prompt)];
  for (let bytes = 0, next = 0; bytes < LONG_SESSION; next += 1) {
    const line = messages[next % messages.length] ?? '';
    written.push(line);
    bytes += line.length + 1;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${written.join('\n')}\n`);
}

import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { launchChromium } from '../editor/browser-editor/chromium.ts';
import { openWorkbench, type Workbench } from '../editor/browser-editor/workbench.ts';
import { temporaryFolder } from '../editor/processes/temporary-folder.ts';
import { SAMPLE_SESSION } from '../editor/sample-workspace.ts';
import { report } from './measure';
import { sessionOf } from './pi-session';

/** Measures the panel in a real editor with a session of 1,000 entries and one of 50,000. Needs the built extension. */

const entries = { small: 1_000, large: 50_000 };
let browser: Browser;
let workbench: Workbench;
let folder: string;

beforeAll(async () => {
  folder = join(temporaryFolder(), 'sessions');
  await mkdir(folder, { recursive: true });
  browser = await launchChromium();
  await writeFile(join(folder, 'small.jsonl'), sessionOf(entries.small, 'small'));
  await writeFile(join(folder, 'large.jsonl'), sessionOf(entries.large, 'large'));
  await copyFile(SAMPLE_SESSION, join(folder, 'real.jsonl'));
  const settings = { 'strata.sessions.folders': [folder] };
  workbench = await openWorkbench(browser, { folder, environment: { HOME: temporaryFolder() }, settings });
  await workbench.runCommand('Strata: Open Inspector in Editor');
}, 120_000);

afterAll(async () => {
  await workbench?.close();
  await browser?.close();
});

describe('the panel', () => {
  it('opens, and scrolls without blocking', async () => {
    // The first session also loads the tokenizer, so it is not measured.
    await measured(/alright, read/);
    const small = await measured(/session small/);
    const large = await measured(/session large/);
    const real = await measured(/alright, read/);
    report({
      what: 'opening 50,000 entries to first paint against 1,000, not for each entry but in all',
      baseline: '1,000',
      baselineMs: small.openMs,
      measured: '50,000',
      measuredMs: large.openMs,
      inputRatio: 1,
    });
    report({
      what: 'a sign of life after opening 50,000 entries against 1,000, in all',
      baseline: '1,000',
      baselineMs: small.signMs,
      measured: '50,000',
      measuredMs: large.signMs,
      inputRatio: 1,
    });
    report({
      what: 'a frame while scrolling through 50,000 entries against 1,000',
      baseline: '1,000',
      baselineMs: small.frameMs,
      measured: '50,000',
      measuredMs: large.frameMs,
      inputRatio: 1,
    });
    report({
      what: 'a frame while leaping through 50,000 entries against 1,000',
      baseline: '1,000',
      baselineMs: small.leapMs,
      measured: '50,000',
      measuredMs: large.leapMs,
      inputRatio: 1,
    });
    report({
      what: 'opening a real session of 100,000 tokens to first paint against 1,000 small entries',
      baseline: '1,000',
      baselineMs: small.openMs,
      measured: 'real',
      measuredMs: real.openMs,
      inputRatio: 1,
    });
    for (const [name, { frameMs, longTasks, openingTasks }] of Object.entries({ small, large, real })) {
      console.log(`scrolling through ${name}: ${frameMs.toFixed(1)} ms a frame, ${longTasks} long tasks`);
      console.log(`opening ${name}: ${openingTasks.length} long tasks, ${Math.max(0, ...openingTasks)} ms the longest`);
    }
  });
});

interface Measured {
  /** Milliseconds until the panel says that it opens the session, or shows it. */
  readonly signMs: number;
  /** Milliseconds until there are rows. */
  readonly openMs: number;
  /** Milliseconds of each task of the page longer than 50 ms, until all rows are shown and counted. */
  readonly openingTasks: readonly number[];
  /** Mean time between two frames while scrolling by a small distance, in milliseconds. */
  readonly frameMs: number;
  /** The same while each frame shows rows that were not on screen before. */
  readonly leapMs: number;
  /** Number of tasks of the page longer than 50 ms while scrolling. */
  readonly longTasks: number;
}

async function measured(title: RegExp): Promise<Measured> {
  const panel = workbench.editorWebview();
  await panel.locator('.opener').click();
  const session = panel.getByRole('option', { name: title });
  await session.waitFor();
  await watchLongTasks(panel);
  const began = performance.now();
  await session.click();
  const opened = panel.locator('.opener').getByText(title);
  await panel.locator('.opening').or(opened).first().waitFor();
  const signMs = performance.now() - began;
  await opened.waitFor();
  await panel.getByRole('treeitem').first().waitFor();
  const openMs = performance.now() - began;
  await new Promise((resolve) => setTimeout(resolve, untilCounted));
  return { signMs, openMs, openingTasks: await longTasksSeen(panel), ...(await scrolled(panel)) };
}

/** Milliseconds to wait, because earlier rows and exact counts come after the first frame. */
const untilCounted = 10_000;

interface Watching {
  longTasks?: number[];
}

function watchLongTasks(panel: FrameLocator): Promise<void> {
  return panel.locator('body').evaluate(() => {
    const watching = globalThis as unknown as Watching;
    const isWatched = watching.longTasks !== undefined;
    watching.longTasks = [];
    if (isWatched) return;
    new PerformanceObserver((list) => {
      watching.longTasks?.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
    }).observe({ type: 'longtask' });
  });
}

function longTasksSeen(panel: FrameLocator): Promise<number[]> {
  return panel.locator('body').evaluate(() => (globalThis as unknown as Watching).longTasks ?? []);
}

/**
 * Scrolls by the same distance for each frame, whatever the length of the list: once as a hand scrolls, and once by
 * leaps.
 */
async function scrolled(panel: FrameLocator): Promise<Pick<Measured, 'frameMs' | 'leapMs' | 'longTasks'>> {
  const near = await scrolledBy(panel, 100);
  const far = await scrolledBy(panel, 5_000);
  return { frameMs: near.frameMs, leapMs: far.frameMs, longTasks: near.longTasks };
}

function scrolledBy(panel: FrameLocator, distance: number): Promise<{ frameMs: number; longTasks: number }> {
  return panel.getByRole('tree').evaluate(async (tree, step) => {
    const scroller = [tree, ...tree.querySelectorAll('*')].find(
      (element) => element.scrollHeight > element.clientHeight + 100,
    );
    if (!scroller) throw new Error('There is nothing to scroll.');
    let longTasks = 0;
    const observer = new PerformanceObserver((list) => {
      longTasks += list.getEntries().length;
    });
    observer.observe({ type: 'longtask' });
    const frames = 120;
    const began = performance.now();
    for (let frame = 0; frame <= frames; frame += 1) {
      scroller.scrollTop = (frame * step) % (scroller.scrollHeight - scroller.clientHeight);
      await new Promise(requestAnimationFrame);
    }
    const frameMs = (performance.now() - began) / frames;
    observer.disconnect();
    return { frameMs, longTasks };
  }, distance);
}

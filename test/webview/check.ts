import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Row } from '../../extension/protocol/view';
import { type OpenPanel, PanelBrowser, type PanelOptions, settled } from './harness/browser.ts';

/**
 * What only a browser can show: scrolling, focus, selection, layout, speed. Run with `node test/webview/check.ts`, with
 * words to run only the checks whose names contain one of them. Needs the built panel.
 */
const checks: readonly Check[] = [
  {
    name: 'starts at the newest row and follows the session',
    run: async ({ page, host }) => {
      assert.equal(await distanceToEnd(page), 0);
      host.append(newRow('n1'), newRow('n2', { kind: 'user', turn: 31 }));
      await settled(page);
      assert.equal(await distanceToEnd(page), 0);
      assert.match(await textOf(page.locator('[role=treeitem]').last()), /turn 31/);
    },
  },
  {
    name: 'stays where a person scrolled to while the session grows',
    run: async ({ page, host }) => {
      await page.mouse.move(300, 500);
      await page.mouse.wheel(0, -1_500);
      await settled(page);
      const before = await topRow(page);
      host.append(newRow('n1'));
      await settled(page);
      assert.deepEqual(await topRow(page), before);
      await page.getByRole('button', { name: 'Newest' }).click();
      await settled(page);
      assert.equal(await distanceToEnd(page), 0);
    },
  },
  {
    name: 'keeps the rows on screen in place when a block above them is undone',
    run: async ({ page, host }) => {
      await page.mouse.move(300, 500);
      await page.mouse.wheel(0, -1_500);
      await settled(page);
      const before = await topRow(page);
      await host.handlers.undo({ seq: 4 });
      await settled(page);
      const after = await topRow(page);
      assert.equal(after.text, before.text);
      assert.ok(Math.abs(after.top - before.top) <= 2, `${after.top} was ${before.top}`);
    },
  },
  {
    name: 'is one tab stop, and moves, opens and closes rows by keyboard',
    run: async ({ page }) => {
      const tree = page.locator('[role=tree]');
      await tree.focus();
      await page.keyboard.press('Home');
      await settled(page);
      assert.match(await activeText(page), /system/i);
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
      await settled(page);
      assert.equal(await active(page).getAttribute('aria-expanded'), 'true');
      await page.keyboard.press('ArrowRight');
      assert.equal(await active(page).getAttribute('aria-level'), '2');
      assert.equal(await active(page).getAttribute('aria-posinset'), '1');
      await page.keyboard.press('Enter');
      await settled(page);
      assert.equal(await active(page).locator('.detail pre').count(), 1);
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowLeft');
      await settled(page);
      assert.equal(await active(page).getAttribute('aria-expanded'), 'false');
      assert.equal(await page.locator('[role=treeitem] [tabindex="0"]:not(.detail *)').count(), 0);
      assert.ok(await tree.evaluate((element) => element === document.activeElement));
    },
  },
  {
    name: 'brings a row that is opened at the end into view',
    run: async ({ page }) => {
      await page.locator('[role=treeitem]').last().click();
      await settled(page);
      const shown = await page.locator('.detail').last().boundingBox();
      assert.ok(shown && shown.y + shown.height <= 800, `detail ends at ${shown ? shown.y + shown.height : '-'}`);
    },
  },
  {
    name: 'pins a selection of a row',
    run: async ({ page, host }) => {
      await page
        .locator('[role=treeitem]')
        .filter({ has: page.locator('.row.user') })
        .last()
        .click();
      await page.locator('.detail pre').last().selectText();
      await page.getByRole('toolbar', { name: 'Pin selection' }).getByText('constraint').click();
      await settled(page);
      const asked = host.asked.find((each) => each.startsWith('pin '));
      assert.match(asked ?? '', /"kind":"constraint","text":"are we all commited\?.*"rowKey":"e716:u"/);
      assert.match(await textOf(page.getByRole('status').first()), /pinned/);
    },
  },
  {
    name: 'comes back after a reload as it was',
    run: async ({ page, host }, browser, options) => {
      await page.locator('[role=tree]').focus();
      await page.keyboard.press('Home');
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight']) await page.keyboard.press(key);
      await settled(page);
      await page.mouse.move(300, 500);
      await page.mouse.wheel(0, 450);
      await page.locator('vscode-panel-tab', { hasText: 'Core' }).click();
      await page.waitForTimeout(600);
      const before = await topRow(page);
      const saved = await page.evaluate(() => (globalThis as unknown as { savedState: unknown }).savedState);
      assert.ok(host.asked.length > 0);
      const again = await browser.open({ ...options, saved });
      assert.deepEqual(await topRow(again.page), before);
      assert.equal(await again.page.locator('vscode-panel-tab[aria-selected=true]').getAttribute('id'), 'tab-core');
      await again.close();
    },
  },
  {
    name: 'finds and opens a session by keyboard',
    run: async ({ page, host }) => {
      await page.locator('.opener[aria-haspopup]').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type('claude api nightly');
      assert.equal(await page.getByRole('option').count(), 2);
      await page.keyboard.press('Enter');
      await settled(page);
      assert.ok(host.asked.some((each) => each.startsWith('open-session') && each.includes('1b2f')));
      assert.equal(await page.getByRole('option').count(), 0);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      assert.ok(await page.locator('.opener').evaluate((element) => element === document.activeElement));
    },
  },
  {
    name: 'shows texts as they are, never as markup',
    options: {
      change: (view) => ({
        ...view,
        rows: [...view.rows, newRow('evil', { preview: '<img src=x onerror="document.title=\'bad\'"> <b>bold</b>' })],
        header: { ...view.header, title: '<b>title</b>' },
      }),
    },
    run: async ({ page }) => {
      assert.equal(await page.title(), 'Strata');
      assert.match(await textOf(page.locator('[role=treeitem]').last()), /<b>bold<\/b>/);
      assert.match(await textOf(page.locator('.opener')), /<b>title<\/b>/);
    },
  },
  {
    name: 'shows both texts of a comparison to the letter',
    run: async ({ page, host }) => {
      await page.locator('button.item', { hasText: '#4 tool-calls' }).click();
      await page.getByRole('button', { name: 'side by side' }).click();
      for (let fold = page.locator('.fold').first(); await fold.count(); fold = page.locator('.fold').first())
        await fold.click();
      const { before, after } = await host.handlers['read-compaction']({ id: 'strata:4' });
      const texts = await page
        .locator('.diff .text')
        .evaluateAll((elements) => elements.map(({ textContent }) => textContent));
      assert.deepEqual(texts, [before, after]);
    },
  },
  ...[320, 420, 899, 900, 1_280].map(
    (width): Check => ({
      name: `has no part that is wider than the panel at ${width}`,
      options: { width, placement: 'view' },
      run: async ({ page }) => {
        const labels = width >= 900 ? ['Compactions', 'Core'] : ['Timeline', 'Compactions', 'Core'];
        for (const label of labels) {
          await page.locator('vscode-panel-tab', { hasText: label }).click();
          if (label === 'Compactions') await page.locator('button.item').nth(1).click();
          await settled(page);
          assert.deepEqual(await overflowing(page), [], label);
        }
        await page.locator('vscode-button', { hasText: 'Compact…' }).click();
        await settled(page);
        await page.locator('.block button').first().click();
        await settled(page);
        assert.deepEqual(await overflowing(page), [], 'Preview');
      },
    }),
  ),
  {
    name: 'scrolls 50,000 rows with only what is visible in the page',
    options: { change: (view) => ({ ...view, rows: manyRows(50_000) }) },
    run: async ({ page, host }) => {
      const frameCount = 120;
      const scrolling = await workOf(page, () => frameTimes(page, frameCount));
      const elements = await page.locator('[role=treeitem]').count();
      console.log(
        `    ${elements} rows in the page; a frame of scrolling: ${(scrolling.work / frameCount).toFixed(1)} ms of script, ` +
          `style and layout, ${median(scrolling.result)} ms on the screen`,
      );
      assert.ok(elements < 120, `${elements} rows in the page`);
      assert.ok(scrolling.work / frameCount < 40, `a frame took ${scrolling.work / frameCount} ms`);

      await page.getByRole('button', { name: 'Newest' }).click();
      await settled(page);
      assert.equal(await distanceToEnd(page), 0);
      const { work } = await workOf(page, async () => {
        host.append(newRow('n1'));
        await settled(page);
      });
      console.log(`    one more row: ${work.toFixed(1)} ms of script, style and layout`);
      assert.ok(work < 60, `a change took ${work} ms`);
    },
  },
];

interface Check {
  readonly name: string;
  readonly options?: Partial<PanelOptions>;
  readonly run: (panel: OpenPanel, browser: PanelBrowser, options: PanelOptions) => Promise<void>;
}

function newRow(key: string, fields: Partial<Row> = {}): Row {
  return {
    key,
    kind: 'assistant',
    turn: null,
    preview: key,
    tokens: 20,
    tool: null,
    block: null,
    images: 0,
    pinned: [],
    time: null,
    ...fields,
  };
}

function manyRows(count: number): Row[] {
  const tool = { name: 'read', subject: 'src/some/folder/with/a/file.ts', outcome: 'ok', result: '312 lines' } as const;
  return Array.from({ length: count }, (_, index) => {
    if (index % 20 === 0)
      return newRow(`k${index}`, { kind: 'user', turn: index / 20 + 1, preview: `turn at ${index}` });
    return index % 3 === 0 ? newRow(`k${index}`, { kind: 'tool', tool, tokens: index % 900 }) : newRow(`k${index}`);
  });
}

function active(page: Page) {
  return page.locator('[role=treeitem][aria-selected=true]');
}

async function textOf(locator: Locator): Promise<string> {
  return (await locator.textContent()) ?? '';
}

function activeText(page: Page): Promise<string> {
  return textOf(active(page));
}

function distanceToEnd(page: Page): Promise<number> {
  return page
    .locator('[role=tree]')
    .evaluate((tree) => Math.round(tree.scrollHeight - tree.clientHeight - tree.scrollTop));
}

/** The first row that is wholly visible, and where it stands. */
function topRow(page: Page): Promise<{ text: string; top: number }> {
  return page.locator('[role=tree]').evaluate((tree) => {
    const edge = tree.getBoundingClientRect().top;
    const rows = [...tree.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const places = rows.map((row) => ({
      text: row.ariaLabel ?? '',
      top: Math.round(row.getBoundingClientRect().top - edge),
    }));
    return places.filter(({ top }) => top >= 0).sort((a, b) => a.top - b.top)[0] ?? { text: '', top: 0 };
  });
}

/** Elements that reach beyond the right edge of the page and are not cut off by one around them. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isCut = (element: Element | null): boolean => {
      if (!element) return false;
      return getComputedStyle(element).overflowX !== 'visible' || isCut(element.parentElement);
    };
    const beyond = [...document.querySelectorAll('#strata *')].filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.right > window.innerWidth + 1 && !isCut(element.parentElement);
    });
    const wide = document.documentElement.scrollWidth > window.innerWidth ? ['the page itself'] : [];
    return [...wide, ...beyond.map((element) => `${element.tagName} ${element.className}`)];
  });
}

/** Milliseconds between frames while the list is scrolled far up in steps. */
function frameTimes(page: Page, count: number): Promise<number[]> {
  return page.locator('[role=tree]').evaluate(
    (tree, frames) =>
      new Promise<number[]>((resolve) => {
        const times: number[] = [];
        let last = performance.now();
        const step = (now: number) => {
          times.push(Math.round(now - last));
          last = now;
          tree.scrollTop -= times.length % 10 === 0 ? 40_000 : 300;
          if (times.length < frames) requestAnimationFrame(step);
          else resolve(times.slice(1));
        };
        requestAnimationFrame(step);
      }),
    count,
  );
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Milliseconds of script, style and layout because of something. */
async function workOf<T>(page: Page, act: () => Promise<T>): Promise<{ work: number; result: T }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const busy = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const parts = metrics.filter(({ name }) =>
      ['ScriptDuration', 'LayoutDuration', 'RecalcStyleDuration'].includes(name),
    );
    return parts.reduce((sum, { value }) => sum + value, 0) * 1_000;
  };
  const before = await busy();
  const result = await act();
  return { work: (await busy()) - before, result };
}

const wanted = process.argv.slice(2);
const browser = await PanelBrowser.launch();
for (const { name, options, run } of checks) {
  if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
  const chosen: PanelOptions = { width: 1_280, height: 800, placement: 'editor', ...options };
  const panel = await browser.open(chosen);
  try {
    await run(panel, browser, chosen);
    assert.deepEqual(panel.complaints, []);
    console.log(`✓ ${name}`);
  } catch (error) {
    console.error(`✗ ${name}\n  ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
  await panel.close();
}
await browser.close();

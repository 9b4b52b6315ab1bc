import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Row, SessionView } from '../../extension/protocol/view';
import { type OpenPanel, PanelBrowser, type PanelOptions, settled } from './harness/browser.ts';
import { severalBlocks } from './harness/scenario.ts';
import { model, strategies } from './harness/strategies.ts';
import { hostileText } from './harness/texts.ts';

/**
 * Checks that need a browser: scrolling, focus, selection, layout, speed. Start them with `node test/webview/check.ts`.
 * Arguments select the checks whose names contain one of them. Needs the built panel.
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
      await host.handlers.undo({ run: 4 });
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
      assert.equal(await active(page).locator('.detail section').count(), 1);
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
      await page.locator('.detail .markdown').last().selectText();
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
    name: 'folds turns by keyboard and by mouse, and keeps what is folded over a reload',
    run: async ({ page }, browser, options) => {
      const tree = page.locator('[role=tree]');
      await tree.focus();
      await page.keyboard.press('End');
      assert.equal(await active(page).getAttribute('aria-level'), '2');
      await page.keyboard.press('ArrowLeft');
      await settled(page);
      assert.match((await active(page).getAttribute('aria-label')) ?? '', /^turn 30, user, live/);
      assert.equal(await active(page).getAttribute('aria-expanded'), 'true');
      await page.keyboard.press('ArrowLeft');
      await settled(page);
      assert.equal(await active(page).getAttribute('aria-expanded'), 'false');
      assert.match((await active(page).getAttribute('aria-label')) ?? '', /folded: 4 rows/);
      await page.keyboard.press('ArrowRight');
      await settled(page);
      assert.equal(await active(page).getAttribute('aria-expanded'), 'true');

      await page.getByRole('button', { name: 'Collapse all turns' }).click();
      await settled(page);
      assert.equal(await page.locator('[role=treeitem] .row:not(.user)').count(), 0);
      await page.waitForTimeout(600);
      const saved = await page.evaluate(() => (globalThis as unknown as { savedState: unknown }).savedState);
      const again = await browser.open({ ...options, saved });
      assert.equal(await again.page.locator('[role=treeitem] .row:not(.user)').count(), 0);
      await again.page.locator('[role=treeitem] .twistie').last().click();
      await settled(again.page);
      assert.ok((await again.page.locator('[role=treeitem] .row:not(.user)').count()) > 0);
      await again.close();
    },
  },
  {
    name: 'finds rows, steps through them by keyboard, and shows all of them again',
    run: async ({ page }) => {
      await page.getByRole('button', { name: 'Filter the timeline' }).click();
      await settled(page);
      await page.keyboard.type('agent-session');
      await settled(page);
      const bar = page.getByRole('search', { name: 'Filter the timeline' });
      const found = await page.locator('[role=treeitem]').count();
      assert.match(await textOf(bar), new RegExp(`${found} rows`));
      assert.ok((await page.locator('[role=treeitem] mark').count()) > 0);
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      assert.match(await textOf(bar), new RegExp(`2 of ${found}`));
      await page.keyboard.press('Shift+Enter');
      await page.keyboard.press('Shift+Enter');
      assert.match(await textOf(bar), new RegExp(`${found} of ${found}`));
      await bar.getByRole('button', { name: 'Only what failed' }).click();
      await settled(page);
      assert.match(await textOf(bar), /No rows/);
      await bar.getByRole('button', { name: 'Show all rows again' }).click();
      await settled(page);
      assert.equal(await bar.getByRole('button', { name: 'Only what failed' }).getAttribute('aria-pressed'), 'false');
      assert.ok((await page.locator('[role=treeitem]').count()) > found);
    },
  },
  {
    name: 'goes from the tree into the filter and back by keyboard, and finds what rows do not show',
    run: async ({ page, host }) => {
      const tree = page.locator('[role=tree]');
      const hidden = host.view?.rows.at(-2)?.key ?? '';
      Object.assign(host.handlers, {
        'find-rows': async ({ words }: { words: string }) => ({ keys: words === 'nowhere shown' ? [hidden] : [] }),
      });
      await tree.focus();
      await page.keyboard.press('Control+f');
      await settled(page);
      await page.keyboard.type('nowhere shown');
      await page.locator('[role=treeitem]').first().waitFor();
      await page.waitForFunction(() => document.querySelectorAll('[role=treeitem]').length === 1);
      await page.keyboard.press('ArrowDown');
      assert.ok(await tree.evaluate((element) => element === document.activeElement));
      assert.equal(await page.locator('[role=treeitem][aria-selected=true]').count(), 1);
      await page.keyboard.press('Control+f');
      await page.keyboard.press('Escape');
      await settled(page);
      assert.ok((await page.locator('[role=treeitem]').count()) > 1);
      await page.keyboard.press('Escape');
      await settled(page);
      assert.equal(await page.getByRole('search', { name: 'Filter the timeline' }).count(), 0);
      assert.ok(await tree.evaluate((element) => element === document.activeElement));
    },
  },
  {
    name: 'shows where the keyboard is as soon as it comes, and opens the menu there',
    run: async ({ page }) => {
      await page.locator('[role=tree]').focus();
      assert.equal(await active(page).count(), 1);
      const box = await active(page).boundingBox();
      await page.evaluate(() => {
        addEventListener('contextmenu', (event) => {
          if (event.defaultPrevented) return;
          const item = event.composedPath().find((each) => each instanceof Element && each.role === 'treeitem');
          document.title = `${(item as Element | undefined)?.id} ${event.clientX} ${event.clientY}`;
        });
      });
      await page.keyboard.press('Shift+F10');
      await settled(page);
      const [id, x = 0, y = 0] = (await page.title()).split(' ');
      assert.equal(id, await active(page).getAttribute('id'));
      assert.ok(box && Number(x) >= box.x && Number(x) <= box.x + box.width, `at ${x}`);
      assert.ok(box && Number(y) >= box.y && Number(y) <= box.y + box.height, `at ${y}`);
    },
  },
  {
    name: 'keeps the keyboard where it was when the active row leaves the context',
    run: async ({ page, host }) => {
      await page.locator('[role=tree]').focus();
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowUp');
      const gone = host.view?.rows.at(-2)?.key;
      host.change({ splice: { at: (host.view?.rows.length ?? 0) - 2, removed: 1, rows: [newRow('stand-in')] } });
      await settled(page);
      const context = JSON.parse((await active(page).getAttribute('data-vscode-context')) ?? '{}');
      assert.notEqual(gone, 'stand-in');
      assert.equal(context.strataRow, 'stand-in');
    },
  },
  {
    name: 'takes a row out of the context, and tells the editor’s menu what a row allows',
    run: async ({ page, host }) => {
      await page.locator('[role=tree]').focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Delete');
      await settled(page);
      const row = JSON.parse((await active(page).getAttribute('data-vscode-context')) ?? '{}');
      assert.equal(host.asked.at(-1), `exclude-row ${JSON.stringify({ key: row.strataRow })}`);
      assert.deepEqual([row.webviewSection, row.strataCanExclude, row.strataCanRestore], ['row', true, false]);
      assert.equal(
        await page.locator('[role=tree]').getAttribute('data-vscode-context'),
        await active(page).getAttribute('data-vscode-context'),
      );
      host.notify('row-action', { action: 'fold-all', key: row.strataRow });
      await page.waitForFunction(() => !document.querySelector('[role=treeitem] .row:not(.user)'));
    },
  },
  {
    name: 'shows structure and code in colours, and asks the host before a link is opened',
    options: { change: (view) => ({ ...view, rows: [...view.rows, newRow('structured')] }) },
    run: async ({ page, host }) => {
      await page
        .locator('[role=treeitem]')
        .last()
        .click({ position: { x: 120, y: 12 } });
      const detail = page.locator('.detail');
      await detail.locator('.hljs-keyword').first().waitFor();
      assert.equal(await detail.getByRole('checkbox').count(), 2);
      assert.equal(await detail.locator('table tr').count(), 3);
      assert.equal(await detail.locator('img').count(), 0);
      assert.match(await textOf(detail), /through readConfig\(\), not INI\. See the guide, a mail and a script\./);
      assert.deepEqual(await detail.locator('p .link').allTextContents(), ['the guide', 'a mail']);
      await detail.getByRole('button', { name: 'the guide' }).click();
      await settled(page);
      assert.equal(host.asked.at(-1), 'open-link {"url":"https://example.org/guide?a=1"}');
      await detail.getByRole('button', { name: 'As written' }).click();
      assert.match(await textOf(detail.locator('pre')), /^# The loader\n/);
    },
  },
  {
    name: 'shows the texts of hostile sessions inert',
    options: {
      change: (view) => ({
        ...view,
        rows: [...view.rows, newRow('hostile', { kind: 'user', turn: 31, preview: hostileText.slice(0, 240) })],
      }),
    },
    run: async ({ page, host }) => {
      const row = page.locator('[role=treeitem]').last();
      await row.click({ position: { x: 120, y: 12 } });
      await settled(page);
      assert.equal(await page.title(), 'Strata');
      assert.equal(await row.locator('img, script, a, iframe').count(), 0);
      const shown = `${await textOf(row)} ${await row.getAttribute('aria-label')}`;
      assert.match(shown, /<script>document\.title/);
      assert.match(shown, /user⟨U\+202E⟩nimda/);
      assert.ok(!shown.includes('\u001b'));
      assert.doesNotMatch(shown, /[\u202a-\u202e\u2066-\u2069\u200b]/);
      assert.ok(shown.isWellFormed());
      assert.deepEqual(await overflowing(page), []);
      assert.ok(!host.asked.some((each) => each.startsWith('open-link')));
    },
  },
  {
    name: 'shows images small in their row and large in its detail',
    options: {
      change: (view) => ({ ...view, rows: [...view.rows, newRow('pictured', { kind: 'user', turn: 31, images: 3 })] }),
    },
    run: async ({ page, host }) => {
      const row = page.locator('[role=treeitem]').last();
      await row.getByRole('img', { name: 'Image 1 of 3, image/png' }).waitFor();
      assert.equal(host.asked.filter((each) => each === 'read-images {"key":"pictured"}').length, 1);
      assert.match(await textOf(row), /image\/svg\+xml/);
      assert.equal(await distanceToEnd(page), 0);
      await row.click({ position: { x: 120, y: 12 } });
      const large = row.locator('.detail').getByRole('img', { name: 'Image 2 of 3, image/png' });
      await large.waitFor();
      assert.deepEqual(await large.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.width > 88]), [
        90,
        true,
      ]);
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
      await page.locator('button.item', { hasText: '#4 Tool calls' }).click();
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
  ...[160, 220, 300, 320, 420, 899, 900, 1_280].map(
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
        await page.getByRole('button', { name: 'Compare', exact: true }).click();
        await page.getByRole('button', { name: 'Compare again' }).waitFor();
        assert.deepEqual(await overflowing(page), [], 'Compare');
        for (const strategy of ['Pipeline', 'Checkpoint']) await page.getByRole('checkbox', { name: strategy }).check();
        await page.getByRole('button', { name: '2 side by side' }).click();
        await settled(page);
        assert.deepEqual(await overflowing(page), [], 'Side by side');
      },
    }),
  ),
  {
    name: 'gives the timeline most of a side bar after a compaction, below tabs on one line',
    options: { width: 300, height: 738, placement: 'view', change: afterACompaction },
    run: async ({ page }) => {
      const main = await page.locator('.timeline, [role=tabpanel]:not([hidden])').last().boundingBox();
      assert.ok(main && main.height >= 738 * 0.6, `The timeline has ${main?.height} pixels of 738.`);
      const tabs = await page
        .locator('vscode-panel-tab:not([hidden])')
        .evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().top));
      assert.equal(new Set(tabs).size, 1);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Evaluate' }).click();
      assert.equal(await page.locator('vscode-panel-tab[aria-selected=true]').getAttribute('id'), 'tab-evaluate');
    },
  },
  {
    name: 'has no kind without tokens in the legend',
    options: { change: afterACompaction },
    run: async ({ page }) => {
      const legend = await textOf(page.locator('header .legend'));
      assert.match(legend, /system/);
      assert.doesNotMatch(legend, /goal batches| 0(?![.\d])/);
    },
  },
  {
    name: 'says of each row when it was, in a column where there is room',
    run: async ({ page }) => {
      const times = await page.locator('[role=treeitem] .time').allInnerTexts();
      assert.ok(times.length > 5);
      assert.deepEqual(
        times.filter((time) => !/\d/.test(time)),
        [],
      );
      await page.setViewportSize({ width: 300, height: 800 });
      await settled(page);
      assert.ok(!(await page.locator('[role=treeitem] .time').first().isVisible()));
      assert.match((await page.locator('[role=treeitem] .row').last().getAttribute('title')) ?? '', /\d:\d\d/);
    },
  },
  {
    name: 'compares the strategies one after the other, sorts them by keyboard, and applies one of them',
    run: async ({ page, host }) => {
      await compare(page);
      await page.getByRole('button', { name: 'Compare again' }).waitFor();
      const usual = strategies.filter((strategy) => strategy.usual);
      assert.equal(await page.getByRole('row').count(), usual.length + 1);
      await page.getByRole('button', { name: 'All strategies' }).click();
      await page.getByRole('row', { name: 'Tiers by age' }).waitFor();
      await page.getByRole('button', { name: 'Compare again' }).waitFor();
      const compared = host.asked.filter((each) => each.startsWith('compare-strategy'));
      assert.equal(compared.length, strategies.length);
      assert.equal(await page.getByRole('row').count(), strategies.length + 1);
      assert.match(await textOf(page.getByRole('row', { name: 'Sliding window' })), /acts from 120 on/);
      assert.match(await textOf(page.getByRole('row', { name: 'Hybrid memory' })), /encoder could not be loaded/);

      const head = page.getByRole('columnheader', { name: 'After' });
      assert.equal(await head.getAttribute('aria-sort'), 'none');
      await head.getByRole('button').focus();
      await page.keyboard.press('Enter');
      assert.equal(await head.getAttribute('aria-sort'), 'ascending');
      assert.match(await textOf(page.getByRole('row').nth(1)), /Checkpoint/);

      await page.getByRole('button', { name: 'Preview Checkpoint' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
      await page.getByRole('button', { name: 'Apply' }).click();
      await settled(page);
      assert.equal(host.asked.at(-1), 'apply-preview {"id":"compared-checkpoint"}');
    },
  },
  {
    name: 'has a compared strategy written by the chosen model on request, at a cost said before',
    options: { summarizer: model, width: 300, height: 1_400 },
    run: async ({ page, host }) => {
      await compare(page);
      const write = page.getByRole('button', { name: `Write it with ${model.label}: Checkpoint` });
      await write.waitFor();
      assert.match(
        await textOf(page.locator('tr.written').first()),
        /up to 56\.6k tokens read, about 2\.1k written: about/,
      );
      assert.equal(await page.getByRole('button', { name: /^Write it with .*: Prune/ }).count(), 0);
      assert.ok(!host.asked.some((each) => each.startsWith('write-compared')));

      host.previewing = 2_000;
      await write.click();
      await page.getByRole('button', { name: 'Cancel', exact: true }).click();
      await write.waitFor();
      assert.equal(host.asked.at(-1), 'cancel-compaction {}');

      host.previewing = 10;
      await page.getByRole('button', { name: /^Write it with .*: Codex/ }).click();
      await page.getByText('answered 529').waitFor();
      await write.click();
      await page.getByText(`written by ${model.label} with 56.2k tokens`).waitFor();
      assert.deepEqual(await overflowing(page), [], 'Compare');

      await page.getByRole('button', { name: 'Compare with the result without a model' }).click();
      await page.getByRole('heading', { name: `Checkpoint by ${model.label}` }).waitFor();
      await page.getByRole('button', { name: `Preview Checkpoint by ${model.label}` }).click();
      await page.getByRole('button', { name: 'Apply' }).click();
      await settled(page);
      assert.equal(host.asked.at(-1), 'apply-preview {"id":"written-checkpoint"}');
      assert.equal(host.asked.filter((each) => each.startsWith('write-compared')).length, 3);
    },
  },
  {
    name: 'stops comparing, and says when the session has new messages since',
    options: { comparing: 200 },
    run: async ({ page, host }) => {
      await compare(page);
      await page.getByRole('button', { name: 'Preview Pipeline' }).waitFor();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await settled(page);
      const asked = host.asked.filter((each) => each.startsWith('compare-strategy')).length;
      assert.match(await textOf(page.locator('.state')), /Stopped after \d of 4 strategies/);
      await settled(page);
      assert.equal(host.asked.filter((each) => each.startsWith('compare-strategy')).length, asked);
      assert.ok(asked < 4);

      host.append(newRow('n1'));
      await settled(page);
      assert.match(await textOf(page.locator('.state')), /The session has new messages/);
    },
  },
  {
    name: 'chooses a strategy by keyboard',
    run: async ({ page, host }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
      await openSettings(page);
      const field = page.getByRole('combobox', { name: 'Strategy' });
      await field.focus();
      await page.keyboard.press('Enter');
      assert.equal(await page.getByRole('option').count(), 4);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'All strategies' }).press('Enter');
      await field.focus();
      for (const key of ['Enter', 'ArrowDown', 't']) await page.keyboard.press(key);
      const id = await field.getAttribute('aria-activedescendant');
      assert.match(await textOf(page.locator(`[id="${id}"]`)), /^\s*Threshold/);
      await page.keyboard.press('Enter');
      assert.equal(await page.getByRole('option').count(), 0);
      assert.match(await textOf(field), /Threshold/);
      await page.getByRole('button', { name: 'Preview again' }).last().click();
      await settled(page);
      assert.match(host.asked.at(-1) ?? '', /^preview-compaction .*"strategy":"threshold"/);
    },
  },
  {
    name: 'selects compactions on the chart by keyboard and by mouse, in step with the list',
    run: async ({ page, host }) => {
      const chart = page.getByRole('img', {
        name: /^Tokens of the context over the session: .* 1 not word for word\./,
      });
      await chart.focus();
      for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
      await settled(page);
      assert.match(await textOf(page.locator('button.item[aria-expanded=true]')), /#4 Tool calls/);
      assert.match(
        await textOf(page.locator('.readout')),
        /#4 Tool calls: 96k → 70\.8k tokens; 4 of your first 7 messages/,
      );
      await page.keyboard.press('Enter');
      assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /#4 Tool calls/);

      await page.locator('button.item', { hasText: 'by pi' }).click();
      await settled(page);
      assert.match(await textOf(page.locator('.readout')), /^by the agent/);
      const before = await chartPixels(page);
      const { width = 0, height = 0 } = (await page.locator('.u-over').boundingBox()) ?? {};
      await page.locator('.u-over').click({ position: { x: (width * 640) / 755, y: height * 0.6 } });
      await settled(page);
      assert.match(await textOf(page.locator('button.item[aria-expanded=true]')), /#3 Goal batch/);
      assert.notEqual(await chartPixels(page), before);
      assert.equal(host.asked.filter((each) => each.startsWith('read-history')).length, 1);
    },
  },
  {
    name: 'paints the chart anew in another theme, and at another width',
    run: async ({ page }) => {
      await page.locator('.u-over').waitFor();
      const dark = await chartPixels(page);
      await page.evaluate(() => document.documentElement.style.setProperty('--vscode-charts-green', '#ff00ff'));
      await settled(page);
      assert.notEqual(await chartPixels(page), dark);
      await page.setViewportSize({ width: 300, height: 800 });
      await page.getByRole('tab', { name: /Compactions/ }).click();
      await settled(page);
      const box = await page.locator('.plot canvas').boundingBox();
      assert.ok(box && box.x + box.width <= 300, `the chart reaches to ${box ? box.x + box.width : '-'}`);
    },
  },
  {
    name: 'follows the session with the chart no more than once a second, and hides the drift',
    run: async ({ page, host }) => {
      await page.locator('.u-over').waitFor();
      for (const key of ['n1', 'n2', 'n3', 'n4']) host.append(newRow(key));
      await page.waitForTimeout(1_400);
      assert.equal(host.asked.filter((each) => each.startsWith('read-history')).length, 2);
      const drift = page.getByRole('button', { name: /first messages left/ });
      const shown = await chartPixels(page);
      await drift.click();
      await settled(page);
      assert.equal(await drift.getAttribute('aria-pressed'), 'false');
      assert.notEqual(await chartPixels(page), shown);
      const { height = 0 } = (await page.locator('figure').boundingBox()) ?? {};
      assert.ok(height > 0 && height <= 224, `the chart with its legend and readout is ${height} pixels high`);
      await page.getByRole('tab', { name: /Core/ }).click();
      host.append(newRow('n5'));
      await page.waitForTimeout(1_400);
      assert.equal(host.asked.filter((each) => each.startsWith('read-history')).length, 2);
    },
  },
  {
    name: 'shows two columns of a comparison only where there is room, and comes back to them',
    options: { width: 1_600 },
    run: async ({ page }) => {
      await page.locator('button.item', { hasText: '#4 Tool calls' }).click();
      await page.getByRole('button', { name: 'side by side' }).click();
      assert.equal(await page.locator('.diff .text').count(), 2);
      await page.setViewportSize({ width: 920, height: 800 });
      await settled(page);
      assert.equal(await page.locator('.diff .text').count(), 1);
      assert.equal(await page.getByRole('button', { name: 'side by side' }).count(), 0);
      await page.setViewportSize({ width: 1_600, height: 800 });
      await settled(page);
      assert.equal(await page.locator('.diff .text').count(), 2);
    },
  },
  {
    name: 'puts lost things back into a block, and says where it did not work',
    run: async ({ page, host }) => {
      await page.locator('button.item', { hasText: '#3 Goal batch' }).click();
      await page.getByRole('button', { name: 'Put back src/export-html.ts' }).click();
      await page.getByRole('button', { name: 'Put back src/export-html.ts' }).waitFor({ state: 'detached' });
      assert.equal(
        host.asked.find((each) => each.startsWith('put-back')),
        'put-back {"id":"strata:3","texts":["src/export-html.ts"]}',
      );
      await page.locator('button.item', { hasText: '#3 Goal batch' }).getByText('edited by hand').waitFor();

      host.failure = 'The journal cannot be written.';
      await page.getByRole('button', { name: 'Put back npm run check' }).click();
      await page.locator('[data-loss="open"]').getByRole('alert').waitFor();
      host.failure = null;
      await page.getByRole('button', { name: 'Put back npm run check' }).click();
      await page.locator('[data-loss="open"]').waitFor({ state: 'detached' });
      assert.equal(await page.locator('.loss').getByRole('alert').count(), 0);
    },
  },
  {
    name: 'has the blocks of a run inside its entry, and folds those that the model does not read',
    run: async ({ page, host }) => {
      if (host.view) host.change({ compactions: severalBlocks(host.view) });
      const entry = page.locator('button.item', { hasText: '#3 Ladder' });
      await entry.getByText('2 blocks, 14 outputs in one line each').waitFor();
      await entry.click();
      const blocks = page.getByRole('region', { name: 'Blocks of this run' });
      await blocks.locator('[data-block]').first().waitFor();
      assert.equal(await blocks.locator('[data-block]').count(), 3);
      await blocks.getByRole('button', { name: '2 blocks inside other blocks, not read by the model' }).click();
      assert.equal(await blocks.locator('[data-block]').count(), 5);
      await blocks
        .getByRole('button', { name: /#4 Tool calls/ })
        .first()
        .click();
      await blocks.getByRole('button', { name: 'Undo this block' }).click();
      await settled(page);
      assert.ok(host.asked.includes('undo {"block":4}'));
      await page
        .locator('.list vscode-button', { hasText: /^\s*Undo\s*$/ })
        .first()
        .click();
      assert.ok(host.asked.includes('undo {"run":3}'));
    },
  },
  {
    name: 'tells what became of each message, by fate, and leads to it',
    run: async ({ page, host }) => {
      await page.locator('button.item', { hasText: '#3 Goal batch' }).click();
      const fates = page.locator('.fates');
      const all = await fates.locator('.entry').count();
      const kept = fates.getByRole('button', { name: /^\d+ word for word$/ });
      await kept.click();
      const count = Number.parseInt(await textOf(kept), 10);
      assert.ok(count > 0 && count < all);
      assert.equal(await fates.locator('.entry').count(), count);
      await fates.locator('.entry').first().click();
      await settled(page);
      assert.match(host.asked.at(-1) ?? '', /^reveal-entry \{"entryId":"e\d+"\}$/);
    },
  },
  {
    name: 'leads from a message to its row where the timeline has it',
    run: async ({ page, host }) => {
      const { fates } = await host.handlers['read-compaction']({ id: 'strata:3' });
      const [fate] = fates;
      assert.ok(fate);
      host.change({ splice: { at: 1, removed: 0, rows: [newRow(fate.entryId, { preview: 'the very row' })] } });
      await page.locator('button.item', { hasText: '#3 Goal batch' }).click();
      await page.locator('.fates .entry').first().click();
      await settled(page);
      assert.match(await activeText(page), /the very row/);
      const box = await active(page).boundingBox();
      assert.ok(box && box.y > 100 && box.y < 800, `the row is at ${box?.y}`);
      assert.ok(!host.asked.some((each) => each.startsWith('reveal-entry')));
    },
  },
  {
    name: 'is a list for the keyboard: compactions, what became of messages, and what is lost',
    run: async ({ page }) => {
      const stops = (items: string) => page.locator(`${items}[tabindex="0"]`).count();
      const hasKeyboard = (item: Locator) => item.evaluate((element) => element === document.activeElement);
      await page.locator('[data-compaction]').first().focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      assert.match(await focused(page), /#3 Goal batch/);
      assert.equal(await stops('[data-compaction]'), 1);
      await page.keyboard.press('ArrowRight');
      await page.locator('.fates .entry').first().waitFor();
      assert.match(await focused(page), /#3 Goal batch/);
      await page.keyboard.press('Tab');
      assert.match(await focused(page), /Edit text/);

      assert.equal(await stops('.group li button'), await page.locator('.group').count());
      const chips = page.locator('.group').first().locator('li button');
      await chips.first().focus();
      for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
      assert.ok(await hasKeyboard(chips.nth(1)));

      assert.equal(await stops('.fates li button'), 1);
      const entries = page.locator('.fates li button');
      await entries.first().focus();
      await page.keyboard.press('End');
      assert.ok(await hasKeyboard(entries.last()));
      await page.keyboard.press('Home');
      assert.ok(await hasKeyboard(entries.first()));

      await page.locator('[data-compaction]', { hasText: '#3 Goal batch' }).focus();
      await page.keyboard.press('ArrowLeft');
      await settled(page);
      assert.equal(await page.locator('.fates').count(), 0);
      await page.keyboard.press('End');
      assert.match(await focused(page), /by pi/);
    },
  },
  {
    name: 'gives the keyboard to what was applied, once the list has it',
    run: async ({ page, host }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
      await page.locator('vscode-button', { hasText: 'Apply' }).focus();
      await page.keyboard.press('Enter');
      await settled(page);
      const { compactions = [] } = host.view ?? {};
      const [first] = compactions;
      assert.ok(first);
      host.change({ compactions: [...compactions, { ...first, id: 'run:9', seq: 9, by: 'strata' }] });
      await settled(page);
      assert.match(await focused(page), /#9/);
    },
  },
  {
    name: 'gives the keyboard to the timeline where the compactions are not on screen',
    options: { width: 420, placement: 'view' },
    run: async ({ page }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
      await page.locator('vscode-button', { hasText: 'Apply' }).focus();
      await page.keyboard.press('Enter');
      await settled(page);
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('role')), 'tree');
    },
  },
  {
    name: 'gives the keyboard to Compact… when the preview closes',
    options: { width: 420, placement: 'view' },
    run: async ({ page }) => {
      for (const mode of ['One strategy', 'Compare']) {
        await page.getByRole('button', { name: 'Compact…' }).click();
        await page.getByRole('button', { name: mode, exact: true }).click();
        await settled(page);
        await page.locator('footer vscode-button', { hasText: 'Close' }).focus();
        await page.keyboard.press('Enter');
        await settled(page);
        assert.match(await focused(page), /Compact…/, mode);
      }
    },
  },
  {
    name: 'gives the keyboard to the compaction that was undone, also when the host shows it later',
    run: async ({ page, host }) => {
      const { undo } = host.handlers;
      Object.assign(host.handlers, {
        undo: async (params: { run?: number }) => {
          setTimeout(() => void undo(params), 300);
          return null;
        },
      });
      await page.locator('button.item', { hasText: '#4 Tool calls' }).click();
      await page.locator('.list vscode-button', { hasText: 'Undo' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('button.item', { hasText: 'undone' }).nth(1).waitFor();
      await settled(page);
      assert.match(await focused(page), /#4 Tool calls/);
    },
  },
  {
    name: 'keeps the keyboard in its group when something was put back',
    run: async ({ page }) => {
      await page.locator('button.item', { hasText: '#3 Goal batch' }).click();
      const back = page.getByRole('button', { name: 'Put back src/export-html.ts' });
      await back.focus();
      await page.keyboard.press('Enter');
      await back.waitFor({ state: 'detached' });
      await settled(page);
      const group = page.locator('[data-loss="files"]');
      assert.ok(await group.evaluate((element) => element.contains(document.activeElement)));
    },
  },
  {
    name: 'says once why no strategy could be compared, and tries again',
    run: async ({ page, host }) => {
      host.failure = 'The session file is gone.';
      await compare(page);
      const alert = page.locator('.content .failure');
      await alert.waitFor();
      assert.equal(await alert.count(), 1);
      assert.equal(await page.getByRole('row').count(), 0);
      host.failure = null;
      await alert.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('button', { name: 'Preview Pipeline' }).waitFor();
    },
  },
  {
    name: 'edits the text of a block by keyboard, and gives the keyboard back',
    run: async ({ page, host }) => {
      await page.locator('button.item', { hasText: '#4 Tool calls' }).click();
      const edit = page.getByRole('button', { name: 'Edit text' });
      await edit.focus();
      await page.keyboard.press('Enter');
      await settled(page);
      await page.keyboard.type('x');
      await page.keyboard.press('Escape');
      await settled(page);
      assert.ok(!host.asked.some((each) => each.startsWith('edit-block')));
      assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /^\s*Edit text\s*$/);

      await page.keyboard.press('Enter');
      await settled(page);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.press('Delete');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('needs some text').waitFor();
      await page.locator('vscode-text-area').first().click();
      await page.keyboard.type('All of it is done.');
      await page.keyboard.press('ControlOrMeta+Enter');
      await page.locator('.diff ins', { hasText: 'All of it is done' }).waitFor();
      assert.ok(host.asked.some((each) => each.startsWith('edit-block {"id":"strata:4","text":"All of it is done.",')));
    },
  },
  {
    name: 'applies a preview with the text that a person gave it',
    run: async ({ page, host }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      const block = page.locator('article.block').first();
      await block.getByRole('button', { name: 'Put back src/export-html.ts' }).click();
      await block.getByText('edited by hand').waitFor();
      await block.getByRole('button', { name: 'Edit text' }).click();
      await settled(page);
      await page.keyboard.type('First of all: ');
      await page.getByText('Save or cancel the text first.').waitFor();
      await block.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Save or cancel the text first.').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Apply' }).click();
      await settled(page);
      const asked = host.asked.slice(-3).map((each) => each.split(' ')[0]);
      assert.deepEqual(asked, ['put-back-into-preview', 'edit-preview', 'apply-preview']);
      assert.equal(host.asked.at(-1), 'apply-preview {"id":"preview-1-2"}');
    },
  },
  {
    name: 'limits a preview to turns, says so, and takes it back',
    run: async ({ page, host }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
      await openSettings(page);
      await page.getByRole('button', { name: 'Choose turns' }).click();
      await page.getByRole('combobox', { name: 'First turn' }).focus();
      for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
      await page.locator('.range .words', { hasText: /Only from turn \d+ on/ }).waitFor();
      await page.getByText('The settings changed since this preview.').waitFor();
      await page.getByRole('button', { name: 'Preview again' }).first().click();
      await settled(page);
      assert.match(host.asked.at(-1) ?? '', /^preview-compaction .*"range":\{"from":"e\d+:u","upTo":null\}/);
      await page.getByRole('button', { name: 'Take all turns again' }).click();
      await page.getByText('All turns above the newest part').waitFor();
    },
  },
  {
    name: 'lists strategies under what they have in common, and shows some of them side by side',
    run: async ({ page }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
      await openSettings(page);
      await page.getByRole('button', { name: 'All strategies' }).click();
      await page.getByRole('combobox', { name: 'Strategy' }).click();
      assert.deepEqual(await page.locator('.choice .group').allTextContents(), [
        'Tiers',
        'The whole history at once',
        'Memory',
        'Policies',
      ]);
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Compare', exact: true }).click();
      await page.getByRole('button', { name: 'Compare again' }).waitFor();
      const open = page.getByRole('button', { name: /side by side/i });
      for (const name of ['Pipeline', 'Checkpoint', 'Naive summary', 'Observations']) {
        await page.getByRole('checkbox', { name }).focus();
        await page.keyboard.press('Space');
      }
      assert.ok(await page.getByRole('checkbox', { name: 'Threshold' }).isDisabled());
      await open.click();
      await page.getByRole('region', { name: 'Text of block 1 of Checkpoint' }).waitFor();
      assert.equal(await page.getByRole('article').count(), 4);
      await page.getByRole('button', { name: 'Preview Checkpoint' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
    },
  },
  {
    name: 'spends no model’s tokens before a person presses Preview, and shows how far it is',
    options: { summarizer: model },
    run: async ({ page, host }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      await settled(page);
      assert.ok(!host.asked.some((each) => each.startsWith('preview-compaction')));
      assert.match(await textOf(page.locator('.summarizer')), /claude-haiku-4-5.*language models of VS Code/s);

      host.previewing = 60_000;
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      host.notify('busy-changed', {
        busy: { label: 'Summarizing', cancellable: true, progress: { done: 3, of: 12, text: 'the tests\npass' } },
      });
      await page.getByText('3 of 12 blocks').waitFor();
      assert.equal(await page.locator('.busy').count(), 1);
      assert.equal(await textOf(page.locator('.streamed')), 'the tests pass');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await settled(page);
      assert.equal(host.asked.at(-1), 'cancel-compaction {}');
    },
  },
  {
    name: 'switches automatic compaction, and draws where it starts only while it is on',
    run: async ({ page }) => {
      const auto = page.getByRole('switch', { name: 'Auto-compact' });
      assert.equal(await auto.getAttribute('aria-checked'), 'true');
      assert.match(await textOf(page.locator('header .legend')), /Auto-compact at 183\.6k/);
      await auto.focus();
      await page.keyboard.press('Space');
      await settled(page);
      assert.equal(await auto.getAttribute('aria-checked'), 'false');
      assert.equal(await page.locator('.gauge .start').count(), 0);
    },
  },
  {
    name: 'hands off from its menu by keyboard, and gives the keyboard back',
    run: async ({ page, host }) => {
      const more = page.getByRole('button', { name: 'More actions' });
      await more.focus();
      for (const key of ['Enter', 'h', 'Enter']) await page.keyboard.press(key);
      await settled(page);
      assert.equal(host.asked.at(-1), 'hand-off {"goal":""}');
      assert.equal(await page.getByRole('menu').count(), 0);
      assert.ok(await more.evaluate((element) => element === document.activeElement));
    },
  },
  {
    name: 'accepts and refuses proposals, and takes a refusal back',
    run: async ({ page, host }) => {
      await page.getByRole('tab', { name: /^Core .*2 proposals/ }).click();
      const items = page.locator('.item.proposed');
      const said = page.locator('header > [role=status]').first();
      await items.first().getByRole('button', { name: 'Accept' }).press('Enter');
      await settled(page);
      assert.equal(await textOf(said), 'Decision added to the core');
      assert.match(await focusedName(page), /^Accept: /);
      assert.ok(await items.first().evaluate((element) => element.contains(document.activeElement)));
      await items.first().getByRole('button', { name: 'Refuse' }).press('Enter');
      await settled(page);
      assert.equal(await textOf(said), 'Refused');
      assert.match(await focusedName(page), /Propose goals and constraints/);
      assert.deepEqual(
        host.asked.filter((each) => each.startsWith('change-core-item')),
        ['change-core-item {"id":"c5","status":"active"}', 'change-core-item {"id":"c8","status":"refused"}'],
      );
      assert.equal(await items.count(), 0);
      await page.getByText('2 refused proposals').click();
      await page.locator('.item.refused').first().getByRole('button', { name: 'Accept' }).click();
      await page.getByText('1 refused proposal').waitFor();

      await page.getByRole('button', { name: 'Propose goals and constraints' }).click();
      await page.getByRole('region', { name: 'Messages' }).getByText('2 proposals added.').waitFor();
    },
  },
  {
    name: 'has no tooltip but words, and no two buttons of one name in the core',
    run: async ({ page }) => {
      await page.getByRole('tab', { name: /^Core/ }).click();
      await settled(page);
      const titles = await page
        .locator('vscode-button')
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).title));
      assert.deepEqual(
        titles.filter((title) => title === 'undefined' || title === 'null'),
        [],
      );
      const names = await page
        .locator('.core .item vscode-button')
        .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
      assert.deepEqual([...new Set(names)], names);
    },
  },
  {
    name: 'undoes the newest compaction with Ctrl+Z, but not while a text is being written',
    run: async ({ page, host }) => {
      const undone = () => host.asked.filter((each) => each.startsWith('undo')).length;
      await page.getByRole('tree').focus();
      await page.keyboard.press('Control+z');
      await settled(page);
      assert.equal(undone(), 1);
      await page.getByRole('tree').press('Control+f');
      await page.keyboard.type('words');
      await page.keyboard.press('Control+z');
      await settled(page);
      assert.equal(undone(), 1);
    },
  },
  {
    name: 'tells by keyboard why automatic compaction cannot be switched on',
    options: { change: cannotCompactByItself },
    run: async ({ page, host }) => {
      const auto = page.getByRole('switch', { name: 'Auto-compact' });
      await auto.focus();
      assert.ok(await auto.evaluate((element) => element === document.activeElement));
      await page.keyboard.press('Enter');
      const told = page.getByRole('region', { name: 'Messages' });
      await told.getByText('Automatic compaction is off here').waitFor();
      assert.ok(!host.asked.some((each) => each.startsWith('toggle-auto-compact')));
    },
  },
  {
    name: 'says in an item of the core what did not happen to it',
    run: async ({ page, host }) => {
      await page.getByRole('tab', { name: /^Core/ }).click();
      host.failure = 'the journal is read-only';
      const item = page.locator('.item.active').first();
      await item.getByRole('button', { name: 'Mark done' }).click();
      await item.getByRole('alert').filter({ hasText: 'The item was not marked done: the journal' }).waitFor();
      assert.equal(await textOf(page.getByRole('region', { name: 'Messages' })), '');
    },
  },
  {
    name: 'leads the keyboard from Compact… to the settings of the preview',
    run: async ({ page, host }) => {
      host.previewing = 20;
      await page.getByRole('button', { name: 'Compact…' }).press('Enter');
      await page.getByRole('region', { name: 'What would change' }).waitFor();
      assert.ok(await foldedSettings(page).evaluate((each) => each.matches(':focus')));
    },
  },
  {
    name: 'disables in the past what would change the session, and says why',
    run: async ({ page, host }) => {
      const why = 'This is the past, which cannot be changed. Go back to now first.';
      const asked = host.asked.length;
      await goToThePast(page);
      const controls = () =>
        page
          .locator('vscode-button, button')
          .evaluateAll(
            (all, reason) =>
              all
                .filter((each) => each.getAttribute('title') === reason)
                .map((each) => [
                  each.getAttribute('aria-label') ?? each.textContent?.trim(),
                  each.matches('[disabled]'),
                ]),
            why,
          );
      const header = ['Compact…', 'Undo: #4 tool-calls', 'Nothing to redo', 'Pin a goal, constraint or decision'];
      assert.deepEqual(
        await controls(),
        header.map((name) => [name, true]),
      );
      await page
        .locator('[role=treeitem]')
        .filter({ has: page.locator('.row.user') })
        .last()
        .hover();
      assert.deepEqual((await controls()).slice(header.length), [
        ['Compact up to here…', true],
        ['Pin from this row', true],
        ['Exclude this turn from the context', true],
      ]);
      await page.getByRole('tree').focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Delete');
      const row = JSON.parse((await active(page).getAttribute('data-vscode-context')) ?? '{}');
      assert.deepEqual([row.strataCanChange, row.strataCanExclude], [false, false]);

      await page.getByRole('tab', { name: /^Core/ }).click();
      const inCore = page.locator('.core vscode-button');
      assert.deepEqual(await inCore.evaluateAll((all) => [...new Set(all.map((each) => each.matches('[disabled]')))]), [
        true,
      ]);
      await page.getByRole('button', { name: 'More actions' }).click();
      const compare = page.getByRole('menuitem', { name: 'Compare strategies' });
      assert.deepEqual(
        [await compare.getAttribute('aria-disabled'), await compare.getAttribute('title')],
        ['true', why],
      );
      const methods = host.asked.slice(asked).map((each) => each.split(' ')[0]);
      assert.ok(!methods.includes('exclude-row'), String(methods));
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Back to now' }).click();
      await settled(page);
      assert.deepEqual(await controls(), []);
    },
  },
  {
    name: 'keeps what is chosen and pressed apart where the system forces its colours',
    run: async ({ page }) => {
      await page.emulateMedia({ forcedColors: 'active' });
      const colours = (selector: string) =>
        page.locator(selector).evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor));
      assert.ok(new Set(await colours('.gauge .segment')).size > 3);
      const track = await colours('[role=switch] .track');
      await page.getByRole('switch', { name: 'Auto-compact' }).click();
      await settled(page);
      assert.notDeepEqual(await colours('[role=switch] .track'), track);
    },
  },
  {
    name: 'keeps the look of a pressed and of a focused filter under the pointer',
    options: { theme: 'high-contrast' },
    run: async ({ page }) => {
      await page.getByRole('button', { name: 'Filter the timeline' }).click();
      const filters = page.getByRole('search', { name: 'Filter the timeline' });
      const toggle = filters.locator('[aria-pressed]').first();
      const look = () =>
        toggle.evaluate((each) => {
          const { outline, outlineOffset, backgroundColor } = getComputedStyle(each);
          return { outline, outlineOffset, backgroundColor };
        });
      const away = () => page.mouse.move(0, 0);
      await toggle.focus();
      await page.keyboard.press('Space');
      await away();
      const focused = await look();
      await toggle.hover();
      assert.deepEqual(await look(), focused);
      await away();
      await page.keyboard.press('Tab');
      const pressed = await look();
      assert.notDeepEqual(pressed, focused);
      await toggle.hover();
      assert.deepEqual(await look(), pressed);
    },
  },
  {
    name: 'shows a row of buttons on one line',
    options: {
      change: (view) => ({
        ...view,
        core: {
          ...view.core,
          originalGoal: { id: 'original-goal', entryId: 'u1', text: 'x', status: 'active', isProposedDone: true },
        },
      }),
    },
    run: async ({ page }) => {
      await page.getByRole('tab', { name: /^Core/ }).click();
      const row = page.locator('[data-original-goal] div', { has: page.getByText('It is over') }).last();
      assert.equal(await row.evaluate((each) => getComputedStyle(each).display), 'flex');
    },
  },
  {
    name: 'scrolls its tabs at 160 pixels, with the chosen one in sight',
    options: { width: 160, placement: 'view', change: (view) => ({ ...view, ...manyOfAll(view) }) },
    run: async ({ page }) => {
      for (const tab of await page.locator('vscode-panel-tab:not([hidden])').all()) {
        await tab.click({ timeout: 5_000 });
        await settled(page);
        const { x = -1, width = 0 } = (await tab.boundingBox()) ?? {};
        assert.ok(x >= 0 && x + width <= 160, `the tab is from ${x} to ${x + width}`);
      }
    },
  },
  ...[240, 320].map(
    (width): Check => ({
      name: `keeps its tabs in sight at ${width} pixels, with many of everything`,
      options: { width, placement: 'view', change: (view) => ({ ...view, ...manyOfAll(view) }) },
      run: async ({ page }) => {
        const tabs = page.locator('vscode-panel-tab:not([hidden])');
        const ends = await tabs.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
        assert.ok(
          ends.every((end) => end <= width),
          `tabs end at ${ends}`,
        );
        for (const tab of await tabs.all()) await tab.click({ trial: true, timeout: 5_000 });
        assert.equal(await page.locator('.badge').getAttribute('data-shown'), '9+');
        await page.getByRole('tab', { name: 'Core 150 30 proposals' }).waitFor();
      },
    }),
  ),
  {
    name: 'edits, replaces, reorders and decides on what is in the core by keyboard',
    run: async ({ page, host }) => {
      const asked = (method: string) => host.asked.filter((each) => each.startsWith(method));
      await page.getByRole('tab', { name: /Core/ }).click();
      const second = page.locator('.item.active', { hasText: 'no inline imports' });
      await second.getByRole('button', { name: 'Edit' }).focus();
      await page.keyboard.press('Alt+ArrowUp');
      await settled(page);
      assert.match(asked('order-core-items')[0] ?? '', /^order-core-items \{"ids":\["c3","c2"/);

      await page.keyboard.press('Enter');
      const field = page.getByRole('textbox', { name: 'Kept word for word' });
      await field.waitFor();
      await settled(page);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type('no inline imports, ever');
      await page.keyboard.press('Control+Enter');
      await field.waitFor({ state: 'detached' });
      assert.deepEqual(asked('edit-core-item'), [
        'edit-core-item {"id":"c3","text":"no inline imports, ever","rationale":null}',
      ]);
      await settled(page);
      assert.ok(await second.evaluate((element) => element.contains(document.activeElement)));

      await second.getByRole('button', { name: 'More: no inline imports' }).press('Enter');
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: /Replaces the old item/ }).waitFor();
      await settled(page);
      await page.keyboard.press('Escape');
      await settled(page);
      assert.ok(await second.evaluate((element) => element.contains(document.activeElement)));

      await page.getByRole('button', { name: 'Refuse all' }).press('Enter');
      await settled(page);
      assert.equal(asked('change-core-item').length, 2);
    },
  },
  {
    name: 'shows the keys at a question mark and gives the keyboard back, but not where a person types',
    run: async ({ page }) => {
      await page.locator('[role=tree]').focus();
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      assert.ok(await page.locator('[role=tree]').evaluate((tree) => tree === document.activeElement));
      await page.locator('.opener[aria-haspopup]').press('Enter');
      await page.keyboard.type('why?');
      assert.equal(await page.getByRole('dialog').count(), 0);
      assert.equal(await page.getByRole('combobox', { name: 'Search sessions' }).inputValue(), 'why?');
    },
  },
  {
    name: 'narrows the sessions down by agent and folder, and reads out what happened',
    run: async ({ page, host }) => {
      const happened = page.locator('header > [role=status]').last();
      await page.locator('.opener[aria-haspopup]').press('Enter');
      const sessions = page.locator('#session-list [role=option]');
      const all = await sessions.count();
      await page.keyboard.press('Tab');
      assert.equal(await focusedName(page), 'Agent');
      for (const key of ['Enter', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
      await settled(page);
      assert.ok((await sessions.count()) < all);
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.type('zzz');
      await page.getByText('No session matches.').waitFor();
      await page.keyboard.press('Escape');
      host.append(newRow('n1'));
      await settled(page);
      assert.match(await textOf(happened), /^Session of /);
      await host.handlers.undo({ run: 4 });
      await settled(page);
      assert.match(await textOf(happened), /^Compaction #4 .* undone/);
    },
  },
  {
    name: 'offers what can be done about a compaction that will start by itself',
    options: {
      change: (view) => ({ ...view, notices: [{ kind: 'auto-compact-soon', text: 'Compacts by itself soon.' }] }),
    },
    run: async ({ page, host }) => {
      const notices = page.getByRole('region', { name: 'Notices on this session' });
      await notices.getByRole('button', { name: 'Switch off' }).click();
      await settled(page);
      assert.equal(host.asked.at(-1), 'toggle-auto-compact {}');
      await notices.getByRole('button', { name: 'Compact now…' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
      await notices.getByRole('button', { name: 'Dismiss' }).click();
      assert.equal((await textOf(notices)).trim(), '');
    },
  },
  {
    name: 'scrolls 50,000 rows with only what is visible in the page, at the cost of 1,000',
    options: { change: (view) => ({ ...view, rows: manyRows(1_000) }) },
    run: async (small, browser, options) => {
      const large = await browser.open({ ...options, change: (view) => ({ ...view, rows: manyRows(50_000) }) });
      const [few, many] = [await scrollingWork(small.page), await scrollingWork(large.page)];
      const elements = await large.page.locator('[role=treeitem]').count();
      console.log(
        `    a frame of scrolling: ${(many / few).toFixed(2)} times that of 1,000 rows ` +
          `(${many.toFixed(1)} and ${few.toFixed(1)} ms of script, style and layout); ${elements} rows in the page`,
      );
      assert.ok(elements < 120, `${elements} rows in the page`);
      assert.ok(many < 2 * few, `a frame took ${many} ms, and ${few} ms with 1,000 rows`);
      await large.close();
    },
  },
  {
    name: 'shows one more row among 50,000 at about the cost of 1,000',
    options: { change: (view) => ({ ...view, rows: manyRows(1_000) }) },
    run: async (small, browser, options) => {
      const large = await browser.open({ ...options, change: (view) => ({ ...view, rows: manyRows(50_000) }) });
      const [few, many] = [await followingWork(small), await followingWork(large)];
      console.log(
        `    one more row: ${(many / few).toFixed(2)} times the work of 1,000 rows (${many.toFixed(1)} and ${few.toFixed(1)} ms)`,
      );
      assert.equal(await distanceToEnd(large.page), 0);
      assert.ok(many < 4 * few, `a change took ${many} ms, and ${few} ms with 1,000 rows`);
      await large.close();
    },
  },
];

interface Check {
  readonly name: string;
  readonly options?: Partial<PanelOptions>;
  readonly run: (panel: OpenPanel, browser: PanelBrowser, options: PanelOptions) => Promise<void>;
}

function foldedSettings(page: Page): Locator {
  return page.getByRole('button', { name: /· No model/ });
}

/** Opens the settings of a preview, which first shows its result. */
async function openSettings(page: Page): Promise<void> {
  await foldedSettings(page).click();
}

async function goToThePast(page: Page): Promise<void> {
  await page.getByRole('tab', { name: /^Compactions/ }).click();
  await page.getByRole('slider', { name: 'Moment of the session' }).press('PageDown');
  await page.getByRole('region', { name: 'Another moment is shown' }).waitFor();
  await settled(page);
}

function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document;
    return activeElement?.getAttribute('aria-label') ?? activeElement?.textContent?.trim() ?? '';
  });
}

/** Panel and agent have different contexts, as after an Apply. */
function afterACompaction(view: SessionView): SessionView {
  const text = 'Claude Code still has 187.4k tokens. A fork of this session continues with 131.8k.';
  return {
    ...view,
    header: { ...view.header, issues: [] },
    inAgent: { ...view.gauge, total: 187_400 },
    effect: 'new-session',
    gauge: { ...view.gauge, byKind: { ...view.gauge.byKind, goal_batch: 0 }, source: 'estimated' },
    notices: [{ kind: 'not-in-agent', text }],
  };
}

/** A session whose agent would continue without Strata's compactions. */
function cannotCompactByItself(view: SessionView): SessionView {
  const autoCompact = { enabled: false, isPossible: false, startsAt: null, orEarlier: false, schedule: null };
  return { ...view, autoCompact };
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

function manyOfAll({ core, compactions }: SessionView): Partial<SessionView> {
  const [item] = core.items;
  const [compaction] = compactions;
  if (!item || !compaction) throw new Error('The sample has neither a core nor compactions');
  const itemsOf = (status: 'active' | 'proposed', count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...item, id: `${status}${index}`, status }));
  return {
    core: { ...core, items: [...itemsOf('active', 150), ...itemsOf('proposed', 30)] },
    compactions: Array.from({ length: 120 }, (_, index) => ({
      ...compaction,
      id: `run:${index}`,
      seq: index,
      active: true,
    })),
  };
}

function manyRows(count: number): Row[] {
  const tool = {
    name: 'read',
    subject: 'src/some/folder/with/a/file.ts',
    outcome: 'ok',
    result: '312 lines',
    pruned: false,
  } as const;
  return Array.from({ length: count }, (_, index) => {
    if (index % 20 === 0)
      return newRow(`k${index}`, { kind: 'user', turn: index / 20 + 1, preview: `turn at ${index}` });
    return index % 3 === 0 ? newRow(`k${index}`, { kind: 'tool', tool, tokens: index % 900 }) : newRow(`k${index}`);
  });
}

/** The current pixels of the chart, to compare them with later ones. */
function chartPixels(page: Page): Promise<string> {
  return page.locator('.plot canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
}

async function compare(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Compare strategies' }).click();
}

function active(page: Page) {
  return page.locator('[role=treeitem][aria-selected=true]');
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
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

/** The first row that is completely visible, and its position. */
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

/** Elements that extend beyond the right edge of the page and are not clipped by an element around them. */
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
    // The tabs clip their content, so it is measured separately.
    const content = [...document.querySelectorAll('vscode-panel-view:not([hidden]) > *')].filter(
      (element) => element.getBoundingClientRect().right > window.innerWidth + 1,
    );
    return [...wide, ...[...beyond, ...content].map((element) => `${element.tagName} ${element.className}`)];
  });
}

/** Milliseconds of work for each frame while scrolling by the same distance. */
async function scrollingWork(page: Page): Promise<number> {
  await scrollUp(page, 30);
  const frames = 90;
  const { work } = await workOf(page, () => scrollUp(page, frames));
  return work / frames;
}

/** Scrolls by five rows in each frame, which is faster than a wheel. */
function scrollUp(page: Page, frames: number): Promise<void> {
  return page.locator('[role=tree]').evaluate(async (tree, count) => {
    for (let frame = 0; frame < count; frame += 1) {
      await new Promise(requestAnimationFrame);
      tree.scrollTop -= 120;
    }
  }, frames);
}

/** Milliseconds of work for one more row. */
async function followingWork({ page, host }: OpenPanel): Promise<number> {
  const changes = 10;
  const { work } = await workOf(page, async () => {
    for (let change = 0; change < changes; change += 1) {
      host.append(newRow(`n${change}`));
      await page.waitForTimeout(60);
    }
    await settled(page);
  });
  return work / changes;
}

/** Milliseconds of script, style and layout that an action causes. */
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

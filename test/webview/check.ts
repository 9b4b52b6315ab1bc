import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import type { Row } from '../../extension/protocol/view';
import { type OpenPanel, PanelBrowser, type PanelOptions, settled } from './harness/browser.ts';
import { model, strategies } from './harness/strategies.ts';
import { hostileText } from './harness/texts.ts';

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

      await page.getByRole('button', { name: 'Fold all turns' }).click();
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
      await settled(page);
      assert.equal(await page.locator('[role=treeitem] .row:not(.user)').count(), 0);
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
    name: 'compares the strategies one after the other, sorts them by keyboard, and applies one of them',
    run: async ({ page, host }) => {
      await compare(page);
      await page.getByRole('button', { name: 'Compare again' }).waitFor();
      const compared = host.asked.filter((each) => each.startsWith('compare-strategy'));
      assert.equal(new Set(compared).size, strategies.length);
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
    name: 'stops comparing, and says when the session went on since',
    options: { comparing: 200 },
    run: async ({ page, host }) => {
      await compare(page);
      await page.getByRole('button', { name: 'Preview Pipeline' }).waitFor();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await settled(page);
      const asked = host.asked.filter((each) => each.startsWith('compare-strategy')).length;
      assert.match(await textOf(page.locator('.state')), /Stopped after \d of 18 strategies/);
      await settled(page);
      assert.equal(host.asked.filter((each) => each.startsWith('compare-strategy')).length, asked);
      assert.ok(asked < strategies.length);

      host.append(newRow('n1'));
      await settled(page);
      assert.match(await textOf(page.locator('.state')), /The session went on/);
    },
  },
  {
    name: 'chooses a strategy by keyboard',
    run: async ({ page, host }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
      const field = page.getByRole('combobox', { name: 'Strategy' });
      await field.focus();
      for (const key of ['Enter', 'ArrowDown', 't']) await page.keyboard.press(key);
      const id = await field.getAttribute('aria-activedescendant');
      assert.match(await textOf(page.locator(`[id="${id}"]`)), /^\s*Threshold/);
      await page.keyboard.press('Enter');
      assert.equal(await page.getByRole('option').count(), 0);
      assert.match(await textOf(field), /Threshold/);
      await page.getByRole('button', { name: 'Preview again' }).click();
      await settled(page);
      assert.match(host.asked.at(-1) ?? '', /^preview-compaction .*"strategy":"threshold"/);
    },
  },
  {
    name: 'selects compactions on the chart by keyboard and by mouse, in step with the list',
    run: async ({ page, host }) => {
      const chart = page.getByRole('img', { name: /^Tokens of the context over the session: .* 1 is gone\./ });
      await chart.focus();
      for (const key of ['ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
      await settled(page);
      assert.match(await textOf(page.locator('button.item[aria-expanded=true]')), /#4 tool-calls/);
      assert.match(await textOf(page.locator('.readout')), /#4 tool-calls, .*: 96k → 70\.8k tokens; 4 of 7/);
      await page.keyboard.press('Enter');
      assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ''), /#4 tool-calls/);

      await page.locator('button.item', { hasText: 'by pi' }).click();
      await settled(page);
      assert.match(await textOf(page.locator('.readout')), /^by the agent/);
      const before = await chartPixels(page);
      const { width = 0, height = 0 } = (await page.locator('.u-over').boundingBox()) ?? {};
      await page.locator('.u-over').click({ position: { x: (width * 640) / 755, y: height * 0.6 } });
      await settled(page);
      assert.match(await textOf(page.locator('button.item[aria-expanded=true]')), /#3 goal-batch/);
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
      const drift = page.getByRole('button', { name: 'first directions left' });
      const shown = await chartPixels(page);
      await drift.click();
      await settled(page);
      assert.equal(await drift.getAttribute('aria-pressed'), 'false');
      assert.notEqual(await chartPixels(page), shown);
      assert.equal(await page.locator('figcaption').count(), 0);
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
      await page.locator('button.item', { hasText: '#4 tool-calls' }).click();
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
    name: 'puts lost things back into a block: one, a group, and says where it did not work',
    run: async ({ page, host }) => {
      await page.locator('button.item', { hasText: '#3 goal-batch' }).click();
      await page.getByRole('button', { name: 'Put back src/export-html.ts' }).click();
      await page.getByRole('button', { name: 'Put back src/export-html.ts' }).waitFor({ state: 'detached' });
      assert.equal(
        host.asked.find((each) => each.startsWith('put-back')),
        'put-back {"id":"strata:3","texts":["src/export-html.ts"]}',
      );
      await page.locator('button.item', { hasText: '#3 goal-batch' }).getByText('edited by hand').waitFor();

      host.failure = 'The journal cannot be written.';
      await page.getByRole('button', { name: 'Put 2 back: numbers' }).click();
      await page.locator('.group', { hasText: 'numbers' }).getByRole('alert').waitFor();
      host.failure = null;
      await page.getByRole('button', { name: 'Put 2 back: numbers' }).click();
      await page.locator('.chip.kept', { hasText: '2412' }).waitFor();
      assert.equal(await page.locator('.loss').getByRole('alert').count(), 0);
    },
  },
  {
    name: 'tells what became of each message, by fate, and leads to it',
    run: async ({ page, host }) => {
      await page.locator('button.item', { hasText: '#3 goal-batch' }).click();
      const fates = page.locator('.fates');
      const all = await fates.locator('.entry').count();
      const kept = fates.getByRole('button', { name: /^\d+ kept$/ });
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
    name: 'edits the text of a block by keyboard, and gives the keyboard back',
    run: async ({ page, host }) => {
      await page.locator('button.item', { hasText: '#4 tool-calls' }).click();
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
      assert.ok(host.asked.includes('edit-block {"id":"strata:4","text":"All of it is done."}'));
    },
  },
  {
    name: 'applies a preview with the text that a person gave it',
    run: async ({ page, host }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      const block = page.locator('article.block').first();
      await block.locator('button').first().click();
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
      await page.getByRole('button', { name: 'Choose turns' }).click();
      await page.getByRole('combobox', { name: 'First turn' }).focus();
      for (const key of ['Enter', 'h', 'Enter']) await page.keyboard.press(key);
      await page.locator('.range .words', { hasText: /Only from turn \d+ on/ }).waitFor();
      await page.getByText('The settings changed since this preview.').waitFor();
      await page.getByRole('button', { name: 'Preview again' }).first().click();
      await settled(page);
      assert.match(host.asked.at(-1) ?? '', /^preview-compaction .*"range":\{"from":"e\d+:u","upTo":null\}/);
      await page.getByRole('button', { name: 'Take all turns again' }).click();
      await page.getByText('All turns above the age line').waitFor();
    },
  },
  {
    name: 'lists strategies under what they have in common, and shows some of them side by side',
    run: async ({ page }) => {
      await page.getByRole('button', { name: 'Compact…' }).click();
      await page.getByRole('region', { name: 'What would change' }).waitFor();
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
      assert.match(await textOf(page.locator('.legend')), /starts by itself at 183\.6k/);
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
      await items.first().getByRole('button', { name: 'Accept' }).click();
      await settled(page);
      await items.first().getByRole('button', { name: 'Refuse' }).click();
      await settled(page);
      assert.deepEqual(
        host.asked.filter((each) => each.startsWith('change-core-item')),
        ['change-core-item {"id":"c5","status":"active"}', 'change-core-item {"id":"c8","status":"refused"}'],
      );
      assert.equal(await items.count(), 0);
      await page.getByText('2 refused proposals').click();
      await page.locator('.item.refused').first().getByRole('button', { name: 'Accept' }).click();
      await page.getByText('1 refused proposal').waitFor();

      await page.getByRole('button', { name: 'Find proposals' }).click();
      await page.getByRole('region', { name: 'Messages' }).getByText('2 proposals added.').waitFor();
    },
  },
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

      await second.getByRole('button', { name: 'More for this item' }).press('Enter');
      await page.keyboard.press('Enter');
      await page.getByRole('textbox', { name: /Takes the place/ }).waitFor();
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
      const region = page.locator('header > [role=status]');
      await page.locator('.opener[aria-haspopup]').press('Enter');
      const all = await page.getByRole('option').count();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      assert.ok((await page.getByRole('option').count()) < all);
      await page.keyboard.press('ArrowDown');
      assert.ok(
        await page.getByRole('combobox', { name: 'Search sessions' }).evaluate((each) => each.matches(':focus')),
      );
      await page.keyboard.press('Escape');
      host.append(newRow('n1'));
      await settled(page);
      assert.match(await textOf(region), /^Session of /);
      await host.handlers.undo({ seq: 4 });
      await settled(page);
      assert.match(await textOf(region), /^Compaction #4 .* undone/);
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
      assert.equal(await textOf(notices), '');
    },
  },
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

/** What the chart has painted, to be told apart from what it paints later. */
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
    // The tabs cut off what does not fit, so what is in them is measured for itself.
    const content = [...document.querySelectorAll('vscode-panel-view:not([hidden]) > *')].filter(
      (element) => element.getBoundingClientRect().right > window.innerWidth + 1,
    );
    return [...wide, ...[...beyond, ...content].map((element) => `${element.tagName} ${element.className}`)];
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

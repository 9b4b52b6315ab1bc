import assert from 'node:assert/strict';
import { compactAll, gaugeLabel, gauges, openInSideBar, openSample } from '../inspector.ts';
import { strata } from '../strata.ts';
import { walk } from '../walk.ts';

/** Walks that show that what the agent has now and what a fork would have are never mixed in one number. */

walk(
  'after Apply the agent’s context and the compacted one stand side by side, and a fork is offered',
  async (openEditor) => {
    const { workbench } = await openSample(openEditor);
    const panel = await openInSideBar(workbench);
    const before = await gaugeLabel(panel);
    const [total = ''] = before?.match(/[\d.]+k/) ?? [];
    assert.equal(await gauges(panel).count(), 1, 'Nothing was compacted, so there is one context.');

    await compactAll(panel);
    const notices = panel.getByRole('region', { name: 'Notices on this session' });
    await notices.getByText(`pi still has ${total} tokens.`).waitFor();
    const [now, after] = await gauges(panel).evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    assert.equal(now, `pi now: ${before}`);
    assert.match(after ?? '', /^After a fork: [\d.]+k of 200k/);
    assert.notEqual(after?.replace('After a fork: ', ''), before);
    const item = workbench.page.locator(`.statusbar-item[id="${strata.identifier}.strata.context"]`);
    await item.filter({ hasText: /→/ }).waitFor();
    const [, left] = after?.match(/([\d.]+k) of/) ?? [];
    assert.match(await item.innerText(), new RegExp(`${total} · \\d+ % → ${left}`));
    await panel.getByRole('button', { name: 'Fork and resume' }).waitFor();
    await workbench.runCommand('Strata: Focus on Sessions View');
    const listed = workbench.page.locator('.pane', { hasText: 'Sessions' }).getByRole('treeitem');
    await listed.filter({ hasText: /50 % → \d+ %/ }).waitFor();
    await workbench.takeScreenshot('two-contexts');

    await panel.getByRole('button', { name: /^Undo:/ }).click();
    await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();
    assert.equal(await gauges(panel).count(), 1);
    assert.equal(await gaugeLabel(panel), before);
  },
);

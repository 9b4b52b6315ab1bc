import type { Browser, FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolCalls } from '../../extension/engine/conversation/entry';
import { launchChromium } from '../editor/browser-editor/chromium';
import { openWorkbench, type Workbench } from '../editor/browser-editor/workbench';
import type { Agent } from './agent';
import { install } from './install';
import { type Laboratory, setUp } from './laboratory';
import { openCode } from './opencode';
import { pi } from './pi';

/** Tests that show a session in the panel while a real agent writes it. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

for (const agent of [pi, openCode]) await describeInPanel(agent);

async function describeInPanel(agent: Agent): Promise<void> {
  const installation = await install(agent);
  if (installation.kind !== 'installed') console.warn(`Skipped: ${installation.reason}`);
  describe.skipIf(installation.kind !== 'installed')(`the panel on a session that ${agent.id} writes`, () => {
    it('shows every message once, and all of them', async () => {
      if (installation.kind !== 'installed') return;
      const laboratory = await setUp(agent, installation.program);
      const { home } = laboratory.place;
      const workbench = await openWorkbench(browser, {
        environment: { ...laboratory.environment.variables, HOME: home },
      });
      try {
        await followInPanel(agent, laboratory, workbench);
      } finally {
        await workbench.close();
        laboratory.close();
      }
    });
  });
}

async function followInPanel(agent: Agent, laboratory: Laboratory, workbench: Workbench): Promise<void> {
  const { resume } = agent;
  if (resume === undefined) throw new Error(`${agent.id} cannot go on with a session`);
  await laboratory.run(agent.prompt('TOOLS=1 look around'));
  const [session] = await laboratory.sessions();
  if (session === undefined) throw new Error('No session was written.');
  await workbench.runCommand('Strata: Open Inspector in Editor');
  const panel = workbench.editorWebview();
  await panel.locator('.opener').click();
  await panel.getByRole('option').first().click();
  await panel.getByRole('tree').waitFor();
  for (const turn of ['second', 'third']) {
    await laboratory.run(resume(session, `TOOLS=3 PARALLEL ${turn} turn`));
    await panel.getByRole('treeitem', { name: new RegExp(`turn \\d+.*${turn} turn`, 'i') }).waitFor();
  }
  const expected = linesOf(await laboratory.open(session.file));
  expect(await shownLines(panel)).toBe(expected);
  await workbench.takeScreenshot(`agents-live-${agent.id}`);
}

/**
 * The number of lines of the turns in the timeline. The reasoning of a reply, its text, and each call with its result
 * are one line each.
 */
function linesOf({ conversation }: Awaited<ReturnType<Laboratory['open']>>): number {
  return conversation.agentContext
    .filter(({ role }) => role !== 'tool' && role !== 'system')
    .map(({ role, parts }) => {
      if (role !== 'assistant') return 1;
      const calls = toolCalls(parts).length;
      const has = (wanted: (type: string) => boolean) => (parts.some(({ type }) => wanted(type)) ? 1 : 0);
      const text = has((type) => type !== 'reasoning' && type !== 'tool_call');
      return has((type) => type === 'reasoning') + (text === 0 && calls === 0 ? 1 : text) + calls;
    })
    .reduce((sum, lines) => sum + lines, 0);
}

/** The number of lines according to the folded turns, because rows outside the view are not in the page. */
async function shownLines(panel: FrameLocator): Promise<number> {
  await panel.getByRole('button', { name: 'Collapse all turns' }).click();
  const turns = panel.getByRole('treeitem', { name: /^turn \d/i });
  await panel
    .getByRole('treeitem', { name: /folded: \d+/ })
    .first()
    .waitFor();
  const labels = await turns.evaluateAll((all) => all.map((turn) => turn.getAttribute('aria-label') ?? ''));
  return labels.reduce((sum, label) => sum + 1 + Number(/folded: (\d+)/.exec(label)?.[1] ?? 0), 0);
}

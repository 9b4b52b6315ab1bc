import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../editor/browser-editor/chromium';
import { openWorkbench, type Workbench } from '../editor/browser-editor/workbench';
import { openInTab } from '../editor/inspector';
import { prepareSampleWorkspace } from '../editor/sample-workspace';
import type { Agent } from './agent';
import { claudeCode } from './claude-code';
import { codex } from './codex';
import { leaksIn, presetOf, sessionFiles, watchArguments, withSecret } from './command-model';
import { geminiCli } from './gemini-cli';
import { install } from './install';
import { setUp } from './laboratory';
import { pi } from './pi';
import { qwenCode } from './qwen-code';

/** Tests of real agents' commands as models, chosen in the editor. They write the blocks of a preview. */

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

for (const agent of [claudeCode, codex, geminiCli, qwenCode, pi]) {
  const installation = await install(agent);
  if (installation.kind === 'missing') console.warn(`Skipped: ${installation.reason}`);
  describe.skipIf(installation.kind === 'missing')(`${agent.id} ${agent.version} as a model in the editor`, () => {
    it('writes the blocks of a preview, with nothing of the session in an argument', async () => {
      if (installation.kind !== 'installed') return;
      const laboratory = await setUp(agent, installation.program);
      const { home } = laboratory.place;
      const { folder, settings, session } = await prepareSampleWorkspace(join(home, 'sample'));
      if (session.kind === 'missing') throw new Error('The sample session is missing.');
      // VS Code takes PATH from the person’s shell. Some agents need a newer Node.js than a machine may have.
      writeFileSync(
        join(home, '.profile'),
        `PATH="${dirname(process.execPath)}:${dirname(installation.program)}:$PATH"\n`,
      );
      const workbench = await openWorkbench(browser, {
        folder,
        settings: { ...settings, 'strata.compaction.strategy': 'tool-calls' },
        environment: { ...withSecret(laboratory.environment.variables), HOME: home },
      });
      const watch = watchArguments(agent.program);
      try {
        const before = sessionFiles(home);
        await writePreview(agent, workbench);
        const summaries = laboratory.server.exchanges.filter(({ reply }) => reply.purpose === 'summary');
        expect(summaries.length).toBeGreaterThan(0);
        expect(sessionFiles(home)).toEqual(before);
        expect(leaksIn(watch.end(), session.path)).toEqual([]);
      } catch (error) {
        await workbench.takeScreenshot(`failed-agents-command-${agent.id}`);
        throw error;
      } finally {
        watch.end();
        await workbench.close();
        laboratory.close();
      }
    }, 300_000);
  });
}

/** In milliseconds. A preview takes one call for each of its blocks. */
const patience = 120_000;

/** Does what a person does: chooses the command, agrees, and asks for a preview. */
async function writePreview(agent: Agent, workbench: Workbench): Promise<void> {
  const { name, shown } = presetOf(agent);
  const panel = await openInTab(workbench);
  await workbench.runCommand('Strata: Choose Summarizer…');
  await workbench.chooseItem(name);
  await workbench.page.getByRole('button', { name: 'Use This Model' }).click();
  await panel.getByRole('button', { name: 'Compact…' }).click();
  const written = panel.getByText(`Written by ${shown}`).first();
  const isOfOther = panel.getByText('Another summarizer was chosen since this preview.');
  const preview = panel.getByRole('button', { name: /^Preview(?: again)?$/ }).last();
  await preview.click({ timeout: patience });
  // A preview that began before the choice arrived is shown first.
  await written.or(isOfOther).first().waitFor({ timeout: patience });
  if (await isOfOther.isVisible()) await preview.click();
  await written.waitFor({ timeout: patience });
  await workbench.takeScreenshot(`agents-command-${agent.id}`);
}

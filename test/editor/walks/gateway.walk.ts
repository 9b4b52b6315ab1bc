import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { FrameLocator } from 'playwright-core';
import { startRecorder } from '../../agents/recorder.ts';
import { answersTurn } from '../../builders/scripted-chat.ts';
import { startModelServer } from '../../builders/scripted-model-server.ts';
import type { Workbench } from '../browser-editor/workbench.ts';
import { compactAll, openSample, rows } from '../inspector.ts';
import { LookingAgent, messagesIn } from '../looking-agent.ts';
import { blocks, StrataFiles } from '../strata-files.ts';
import { walk } from '../walk.ts';

/** Walks with an agent outside the editor, whose requests pass through the gateway to a scripted server on loopback. */

const rule = 'Never touch the folder vendor/, whatever happens.';

walk(
  'an agent behind the gateway is sent what the panel shows: byte for byte, compacted, pinned, and as it was again',
  async (openEditor) => {
    const model = await startModelServer(answersTurn());
    const upstream = await startRecorder(new URL(model.baseUrl).origin);
    try {
      const settings = {
        'strata.gateway.baseUrls': { openai: `${upstream.address}/v1` },
        'strata.gateway.contextWindow': 24_000,
        'strata.compaction.enabled': false,
        'strata.compaction.floorTokens': 2000,
        'strata.compaction.pauseTokens': 1000,
      };
      const { workbench } = await openSample(openEditor, settings);
      const newest = () => upstream.recorded.at(-1)?.body.toString() ?? '';

      await workbench.runAndChoose('Strata: Gateway: Start, Stop, Set Up…', 'Start Gateway');
      const started = await workbench.waitForNotification(/The gateway of Strata runs at http:\/\/127\.0\.0\.1:\d+\./);
      await workbench.takeScreenshot('walk-gateway-started');
      await started.getByRole('button', { name: 'Show', exact: true }).click();
      await workbench.waitForNotification(/No agent has asked through the gateway yet/);
      const address = await addressFor(workbench, 'OpenAI SDK');
      const agent = new LookingAgent(address);

      await agent.turn(1);
      const panel = workbench.sideBarWebview();
      await rows(panel, /turn-1 look at part 1/)
        .first()
        .waitFor();
      for (let turn = 2; turn <= 12; turn += 1) await agent.turn(turn);
      await caughtUp(panel, 12);
      assert.equal(newest(), agent.sent, 'Every byte is what the agent sent.');
      await workbench.takeScreenshot('walk-gateway-live');

      await compactAll(panel);
      await agent.turn(13);
      const compacted = messagesIn(newest());
      assert.ok(blocks(compacted) > 0, 'The model was sent blocks.');
      assert.ok(newest().length < agent.sent.length, 'The model was sent less.');
      assert.ok(compacted.length < messagesIn(agent.sent).length, 'Blocks stand in the places of messages.');
      await workbench.takeScreenshot('walk-gateway-compacted');

      await agent.turn(14);
      const beginning = compacted.slice(0, -2);
      assert.deepEqual(messagesIn(newest()).slice(0, beginning.length), beginning, 'It stays in the same words.');

      await panel.getByRole('button', { name: /^Undo:/ }).click();
      await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();
      await agent.turn(15);
      assert.equal(newest(), agent.sent, 'After the undo every byte is again what the agent sent.');

      await workbench.runAndChoose('Strata: Pin…', 'Pin a constraint');
      await workbench.page.getByText('Pin a constraint').waitFor();
      await workbench.answer(rule);
      await panel.getByRole('tab', { name: /Core 1/ }).waitFor();
      await agent.turn(16);
      assert.equal(newest().split(rule).length, 2, 'The rule stands in it, once.');
      await caughtUp(panel, 16);
      await compactAll(panel);
      await agent.turn(17);
      assert.ok(blocks(messagesIn(newest())) > 0);
      await caughtUp(panel, 17);
      assert.equal(newest().split(rule).length, 2, 'The rule still stands in it, once.');
      await proveKept(workbench);
      await workbench.takeScreenshot('walk-gateway-pinned');

      const item = workbench.page.getByRole('button', { name: /The gateway of Strata is running/ });
      await item.click();
      await workbench.page.getByText('Show Newest Conversation').waitFor();
      await workbench.takeScreenshot('walk-gateway-menu');
      await workbench.page.keyboard.press('Escape');
      await copiesSetupFile(workbench, address);

      await workbench.runAndChoose('Strata: Gateway: Start, Stop, Set Up…', 'Stop Gateway');
      await item.waitFor({ state: 'hidden' });
      await assert.rejects(agent.turn(18), /Connection error/);
    } finally {
      upstream.close();
      model.close();
    }
  },
  { timeoutMs: 300_000 },
);

/** The setup of an agent that reads it from a file is copied and opened. */
async function copiesSetupFile(workbench: Workbench, address: string): Promise<void> {
  await workbench.runAndChoose('Strata: Gateway: Start, Stop, Set Up…', 'Copy Setup…');
  await workbench.page.getByText('~/.pi/agent/models.json').waitFor();
  await workbench.takeScreenshot('walk-gateway-setups');
  await workbench.chooseItem('pi');
  await workbench.waitForNotification(/Add it to ~\/\.pi\/agent\/models\.json/);
  const setup = JSON.parse(await clipboard(workbench));
  assert.equal(setup.providers.openai.baseUrl, address);
  await workbench.page.locator('.view-lines').getByText('"baseUrl"').first().waitFor();
  await workbench.takeScreenshot('walk-gateway-setup');
}

/** Waits until the panel shows the answer of this turn, because it would make an earlier preview outdated. */
async function caughtUp(panel: FrameLocator, turn: number): Promise<void> {
  await panel.getByRole('tab', { name: 'Timeline' }).click();
  await rows(panel, new RegExp(`Answer \\d+ after 1 step: turn-${turn} `))
    .first()
    .waitFor();
}

/**
 * Asserts that all of it is one conversation, in which every message occurs once, however soon the agent sent the next
 * request.
 */
async function proveKept(workbench: Workbench): Promise<void> {
  const lines = (await readFile(new StrataFiles(workbench).conversation(), 'utf8')).trim().split('\n');
  const ids = lines.flatMap((line) => JSON.parse(line).entry?.id ?? []);
  assert.equal(ids.length, new Set(ids).size);
}

/** The address that a person would set as the base URL. */
async function addressFor(workbench: Workbench, client: string): Promise<string> {
  await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await workbench.runAndChoose('Strata: Gateway: Start, Stop, Set Up…', 'Copy Setup…');
  await workbench.chooseItem(client);
  await workbench.waitForNotification(/^Copied\./);
  return (await clipboard(workbench)).replace(/^export \w+=/, '');
}

function clipboard({ page }: Workbench): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}

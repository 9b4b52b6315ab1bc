import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { assertNoViolations } from '../accessibility.ts';
import type { Workbench } from '../browser-editor/workbench.ts';
import { compactAll, gaugeLabel, goToTop, openGoalBatch, openSample, pressInRow, rows } from '../inspector.ts';
import { LookingAgent, messagesIn } from '../looking-agent.ts';
import { blocks } from '../strata-files.ts';
import { startTeam, type Team } from '../team.ts';
import { takeInEachTheme, themes } from '../themes.ts';
import { walk } from '../walk.ts';

/**
 * Walks with two processes of a team's gateway on one encrypted Postgres, and a person who opens its conversations in
 * the editor.
 */

const rule = 'Never touch the folder vendor/, whatever happens.';
/** Number of turns after which the gateway compacts by itself. */
const turnsToCompaction = 12;

walk(
  'what a person undoes and pins in the panel is in the next request, whichever process of the team takes it',
  async (openEditor) => {
    const team = await startTeam('--window', '32000', '--schedule', 'size', '--strategy', 'pipeline');
    try {
      const { workbench } = await openSample(openEditor, { 'workbench.colorTheme': themes.dark });
      const newest = () => team.received().at(-1) ?? '';
      const agent = new LookingAgent(team.addresses[0], {
        headers: { 'x-strata-conversation': 'thread-7' },
        lines: 100,
      });
      const turn = async (number: number, process: 0 | 1) => {
        agent.goThrough(team.addresses[process]);
        await agent.turn(number);
      };
      for (let number = 1; number <= turnsToCompaction; number += 1) await turn(number, number % 2 === 0 ? 0 : 1);
      assert.ok(blocks(messagesIn(newest())) > 0, 'A gateway has compacted by itself.');

      await workbench.runCommand('View: Show Strata');
      await addStoreAfterWrongAddress(workbench, team);
      await treeItem(workbench, 'Conversation thread-7').waitFor();
      await workbench.takeScreenshot('walk-stores-tree');
      await proveSecretsApart(workbench, team);

      await treeItem(workbench, 'Conversation thread-7').click();
      const panel = workbench.sideBarWebview();
      await seesTurn(panel, turnsToCompaction);
      await panel.getByRole('button', { name: /^Undo:/ }).waitFor();
      await goToTop(panel);
      await rows(panel, /^(?:summary|goal batch)/)
        .first()
        .waitFor();
      await workbench.takeScreenshot('walk-stores-dark');

      // The request that caused the compaction went to address 0; the next one goes to the other process.
      await panel.getByRole('button', { name: /^Undo:/ }).click();
      await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();
      await turn(turnsToCompaction + 1, 1);
      assert.equal(newest(), agent.sent, 'Byte for byte what the agent sent: the original messages again.');
      await seesTurn(panel, turnsToCompaction + 1);

      await workbench.runAndChoose('Strata: Pin…', 'Pin a constraint');
      await workbench.page.getByText('Pin a constraint').waitFor();
      await workbench.answer(rule);
      await panel.getByRole('tab', { name: /Core 1/ }).waitFor();
      await turn(turnsToCompaction + 2, 0);
      assert.equal(newest().split(rule).length, 2, 'The rule stands in it, once.');
      await seesTurn(panel, turnsToCompaction + 2);

      await team.postgres.halt();
      const notices = panel.getByRole('region', { name: 'Notices on this session' });
      const away = notices.getByText(/The call `read` of the store postgres:.* failed: .*This is what was read last/);
      await away.waitFor();
      await workbench.takeScreenshot('walk-stores-away');
      await team.postgres.resume();
      await away.waitFor({ state: 'hidden', timeout: 60_000 });
      await turn(turnsToCompaction + 3, 1);
      assert.equal(newest().split(rule).length, 2, 'The rule is still in it.');
      await seesTurn(panel, turnsToCompaction + 3);

      await takeInEachTheme(workbench, panel, 'walk-stores');
      await removeStore(workbench, team);
      await treeItem(workbench, 'Conversation thread-7').waitFor({ state: 'hidden' });
      assert.deepEqual(await workbench.errorNotifications(), []);
    } finally {
      await team.close();
    }
  },
  { timeoutMs: 300_000 },
);

walk(
  'what a person compacts, does again, edits and excludes in 150,000 tokens of a store is in the next request',
  async (openEditor) => {
    // Only the person compacts here.
    const team = await startTeam('--window', '1000000');
    try {
      const newest = () => team.received().at(-1) ?? '';
      const agent = new LookingAgent(team.addresses[0], {
        headers: { 'x-strata-conversation': 'long-task' },
        lines: 140,
        calls: 100,
      });
      await agent.turn(1);
      for (let number = 2; number <= 8; number += 1) await agent.say(`turn-${number} TOOLS=1`);
      assert.equal(newest(), agent.sent);
      agent.goThrough(team.addresses[1]);

      const { workbench } = await openSample(openEditor);
      await workbench.runCommand('View: Show Strata');
      await workbench.runCommand('Strata: Add Store…');
      await answerStore(workbench, team, team.postgres.address);
      await treeItem(workbench, 'Conversation long-task').click();
      const panel = workbench.sideBarWebview();
      await seesTurn(panel, 8);
      assert.match((await gaugeLabel(panel)) ?? '', /1[56]\d[\d.]*k of 1M/);
      await assertNoViolations(panel, 'a conversation of a store');
      await workbench.takeScreenshot('walk-stores-long');

      await compactAll(panel);
      await workbench.takeScreenshot('walk-stores-compacted');
      await agent.say('turn-9 TOOLS=0');
      const compacted = newest();
      assert.ok(blocks(messagesIn(compacted)) > 0, 'The block stands in it.');
      assert.ok(compacted.length < agent.sent.length / 2, `${compacted.length} of ${agent.sent.length} characters.`);

      await panel.getByRole('button', { name: /^Undo:/ }).click();
      await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();
      await agent.say('turn-10 TOOLS=0');
      assert.equal(
        withoutUsage(newest()),
        agent.sent,
        'Byte for byte what the agent sent, but for the report of usage.',
      );
      await panel.getByRole('button', { name: /^Redo:/ }).click();
      await panel.getByRole('button', { name: 'Nothing to redo' }).waitFor();
      await agent.say('turn-11 TOOLS=0');
      const together = messagesIn(compacted).length;
      assert.deepEqual(messagesIn(newest()).slice(0, together), messagesIn(compacted), 'As before it was undone.');

      await openGoalBatch(panel);
      await panel.getByRole('button', { name: 'Edit text' }).click();
      await panel.locator('textarea').fill('Changed by a person.');
      await panel.getByRole('button', { name: 'Save', exact: true }).click();
      await panel.getByText('Changed by a person.').first().waitFor();
      await agent.say('turn-12 TOOLS=0');
      assert.equal(newest().split('Changed by a person.').length, 2, 'The text stands in it, once.');

      await seesTurn(panel, 12, 0);
      const answer = rows(panel, /after 0 steps: turn-9 /).first();
      await pressInRow(answer, 'Exclude from the context', rows(panel, /^excluded/).first());
      await workbench.takeScreenshot('walk-stores-excluded');
      await agent.say('turn-13 TOOLS=0');
      assert.ok(!newest().includes('after 0 steps: turn-9 '), 'What is excluded is gone from it.');
      assert.ok(agent.sent.includes('after 0 steps: turn-9 '), 'The agent has it still.');
      // The list is read again every half a minute while it is visible. It had 241 records when the store was added.
      await treeItem(workbench, 'Conversation long-task, 2[5-9]\\d records').waitFor({ timeout: 60_000 });
      assert.deepEqual(await workbench.errorNotifications(), []);
    } finally {
      await team.close();
    }
  },
  { timeoutMs: 300_000 },
);

/** Adds the store with an address at which no server listens, then with the right one. */
async function addStoreAfterWrongAddress(workbench: Workbench, team: Team): Promise<void> {
  await workbench.runCommand('Strata: Add Store…');
  await answerStore(workbench, team, 'postgres://strata@127.0.0.1:1/strata');
  const failure = await workbench.waitForNotification(
    /The call `list` of the store postgres:.* failed: .*ECONNREFUSED/,
  );
  await workbench.takeScreenshot('walk-stores-unreachable');
  await failure.getByRole('button', { name: 'Change…' }).click();
  await answerStore(workbench, team, team.postgres.address);
}

/** Enters address, password, tenants and key, as the editor asks for them. */
async function answerStore(workbench: Workbench, { key }: Team, address: string): Promise<void> {
  await answerAll(workbench, address, 'a-password', 'acme', key);
}

async function answerAll(workbench: Workbench, ...answers: readonly string[]): Promise<void> {
  for (const [at, answer] of answers.entries()) {
    await workbench.page.getByText(`Add a store of conversations (${at + 1} of ${answers.length})`).waitFor();
    await workbench.answer(answer);
  }
}

/** Asserts that the person's settings contain the store without its password, and no key. */
async function proveSecretsApart({ userDataDir }: Workbench, { postgres, key }: Team): Promise<void> {
  const settings = await readFile(join(userDataDir, 'Machine/settings.json'), 'utf8');
  assert.ok(settings.includes(postgres.address), settings);
  assert.ok(!settings.includes('a-password') && !settings.includes(key), settings);
}

function treeItem({ page }: Workbench, label: string): Locator {
  return page.getByRole('treeitem', { name: new RegExp(label) }).first();
}

async function seesTurn(panel: FrameLocator, turn: number, calls = 1): Promise<void> {
  await panel.getByRole('tab', { name: 'Timeline' }).click();
  await panel.getByRole('tree').focus();
  await panel.getByRole('tree').press('End');
  await rows(panel, new RegExp(`Answer \\d+ after ${calls} steps?: turn-${turn} `))
    .first()
    .waitFor();
}

async function removeStore(workbench: Workbench, { postgres }: Team): Promise<void> {
  await workbench.runAndChoose('Strata: Remove Store…', `127.0.0.1:${postgres.port}/postgres`);
  await workbench.page.getByRole('button', { name: 'Remove', exact: true }).click();
}

/**
 * The request without the field that the gateway adds while usage was reported only for a small part of the
 * conversation.
 */
function withoutUsage(body: string): string {
  return body.replace('"stream_options":{"include_usage":true},', '');
}

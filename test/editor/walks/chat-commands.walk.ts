import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { answersTurn } from '../../builders/scripted-chat.ts';
import { startModelServer } from '../../builders/scripted-model-server.ts';
import { Chat } from '../chat.ts';
import { openInSideBar, openSample } from '../inspector.ts';
import { type Message, StrataFiles, text } from '../strata-files.ts';
import { walk } from '../walk.ts';

/**
 * Walks with the slash commands of `@strata`, attachments, Strata's tools, and the chat as VS Code itself stores it.
 */

walk(
  'slash commands change what is sent, and are not sent themselves',
  async (openEditor) => {
    const server = await startModelServer(answersTurn());
    using _closing = { [Symbol.dispose]: () => server.close() };
    const { workbench } = await openSample(openEditor, {
      'strata.summarizer.openai.baseUrl': server.baseUrl,
      'strata.summarizer.openai.model': 'scripted',
      'strata.chat.model': 'talker',
      'strata.chat.contextWindow': 64_000,
    });
    const { page } = workbench;
    await workbench.runCommand('View: Show Strata');
    const chat = await Chat.open(workbench, 'Strata: talker');
    const sent = () => server.asked.at(-1)?.body.messages as readonly Message[];

    await chat.say('turn-1 build a bridge');
    await chat.say('/pin decision: use steel');
    await chat.say('/pin goal cross the river');
    const core = await chat.say('/core');
    await core.getByText('cross the river').waitFor();
    await workbench.takeScreenshot('walk-chat-core');
    await chat.say('/core done 2');
    const strategies = await chat.say('/strategy');
    await strategies.getByText('codex').first().waitFor();
    await chat.say('/strategy checkpoint');
    const automatic = await chat.say('/autocompact off');
    await automatic.getByText(/is off/).waitFor();
    await chat.write('/autocompact');
    await page.keyboard.press('Enter');
    const selector = page.locator('.quick-input-widget');
    await selector.getByText('Automatic compaction').waitFor();
    await workbench.takeScreenshot('walk-chat-autocompact');
    await selector.getByText('Reserve').click();
    await selector.locator('input[type="text"]').fill('12,000');
    await page.keyboard.press('Enter');
    await selector.getByText('12,000 tokens').waitFor();
    await selector.getByRole('option', { name: /^Off/ }).click();
    await page.locator('.interactive-response').last().getByText('12,000 tokens').waitFor();
    const wrong = await chat.say('/strategy nonsense');
    await wrong.getByText(/There is no strategy/).waitFor();
    const redo = await chat.say('/redo');
    await redo.getByText(/nothing to redo/).waitFor();
    await chat.say('/context');
    await workbench.takeScreenshot('walk-chat-context');
    assert.equal(server.asked.length, 1, 'Slash commands ask no model.');

    await chat.say('turn-2 USE=strata_core TOOLS=1');
    assert.ok(text(sent()).includes('use steel'), 'The tool has read the core.');
    assert.match(sent().find(({ role }) => role === 'tool')?.content ?? '', /use steel/);
    assert.equal(server.asked.at(-1)?.body.model, 'talker');
    assert.ok(!text(sent()).includes('/pin'));

    await workbench.runCommand('View: Show Explorer');
    await page.getByRole('treeitem', { name: 'README.md' }).click();
    await workbench.runCommand('Chat: Add File to Chat');
    await chat.say('turn-3 what is in this file?');
    assert.match(text(sent()), /<attachment name=\\+"README.md/);
    await workbench.takeScreenshot('walk-chat-attachment');

    const handoff = await chat.say('/handoff paint the bridge');
    await handoff.getByRole('button', { name: 'Open in a New Chat' }).waitFor();
    await workbench.takeScreenshot('walk-chat-handoff');
    await page.getByRole('button', { name: 'Open in a New Chat' }).last().click();
    await page
      .locator('.chat-editor-container')
      .getByText(/paint.the.bridge/)
      .first()
      .waitFor();
    await workbench.takeScreenshot('walk-chat-handed-over');

    assert.equal(new StrataFiles(workbench).conversations().length, 1, 'Nothing is sent before the person sends it.');
    await workbench.runCommand('Strata: Open Session…');
    await page.locator('.quick-input-list').getByText('turn-1 build a bridge').first().waitFor();
    assert.equal(
      await page.locator('.quick-input-list').getByText('VS Code chat').count(),
      0,
      'What Strata keeps itself is listed once.',
    );
    await workbench.takeScreenshot('walk-chat-sessions');
    await page.keyboard.press('Escape');
    const [stored = ''] = storedChats(workbench.userDataDir);
    const read = JSON.parse(await new StrataFiles(workbench).strata('inspect', stored, '--json'));
    assert.equal(read.session.agent, 'vscode-chat');
    assert.match(text(read.context.messages), /build a bridge/);
  },
  { timeoutMs: 300_000 },
);

/**
 * The file of VS Code's own chat in which these commands were given. A draft that was handed off repeats everything
 * else that was said.
 */
function storedChats(userDataDir: string): string[] {
  return globSync('User/workspaceStorage/*/chatSessions/*.jsonl', { cwd: userDataDir })
    .map((file) => join(userDataDir, file))
    .filter((file) => readFileSync(file, 'utf8').includes('/strategy nonsense'));
}

walk('/context shows the session that is open in the inspector', async (openEditor) => {
  const server = await startModelServer(answersTurn());
  using _closing = { [Symbol.dispose]: () => server.close() };
  const { workbench } = await openSample(openEditor, {
    'strata.summarizer.openai.baseUrl': server.baseUrl,
    'strata.summarizer.openai.model': 'scripted',
    'strata.chat.model': 'talker',
  });
  await openInSideBar(workbench);
  const chat = await Chat.open(workbench, 'Strata: talker');
  const shown = await chat.say('/context');
  await shown.getByText(/The session that is open in the inspector, not this chat/).waitFor();
  await shown.getByText(/Blocks in place of older messages/).waitFor();
  await shown.getByRole('button', { name: 'Open the Inspector' }).waitFor();
  await workbench.takeScreenshot('walk-chat-context-of-session');
});

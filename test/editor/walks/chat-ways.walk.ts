import assert from 'node:assert/strict';
import { answersTurn } from '../../builders/scripted-chat.ts';
import {
  type Behaviour,
  breaksAfter,
  fails,
  type ModelServer,
  startModelServer,
} from '../../builders/scripted-model-server.ts';
import type { Workbench } from '../browser-editor/workbench.ts';
import { Chat } from '../chat.ts';
import { openSample } from '../inspector.ts';
import { type Message, StrataFiles, text } from '../strata-files.ts';
import type { OpenEditor } from '../walk.ts';
import { walk } from '../walk.ts';

/** Walks with what a person does with a chat besides continuing it, and with what can go wrong in it. */

walk('no message is doubled or lost after an edit, a second sending and a new chat', async (openEditor) => {
  using talk = await begin(openEditor, answersTurn());
  const { page } = talk.workbench;
  await talk.chat.say('turn-1 helo');
  await talk.chat.say('/pin always be kind');
  await page.locator('.interactive-request').first().click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('@strata turn-1 hello');
  await page.keyboard.press('Enter');
  const confirm = page.getByRole('button', { name: /^(?:Yes|Edit|Continue)/ });
  const answer = page.getByText(/Answer 2 after 0 steps/);
  // Not every version of VS Code asks.
  await confirm.or(answer).first().waitFor();
  if (await confirm.isVisible()) await confirm.click();
  await answer.first().waitFor();
  assert.deepEqual(said(talk.sent()), ['turn-1 hello']);
  assert.ok(text(talk.sent()).includes('always be kind'), 'What was pinned holds.');
  assert.ok(!text(talk.sent()).includes('helo'), 'What was edited away is gone.');
  assert.equal(talk.files.conversations().length, 1);
  await talk.workbench.takeScreenshot('walk-chat-edited');

  await talk.chat.startNew();
  await talk.chat.say('turn-1 of another chat');
  assert.deepEqual(said(talk.sent()), ['turn-1 of another chat']);
  assert.ok(!text(talk.sent()).includes('always be kind'), 'What was pinned holds in its chat alone.');
  assert.equal(talk.files.conversations().length, 2, 'A new chat is a conversation of its own.');
  await talk.chat.say('turn-2 and now');
  const before = talk.sent();
  await page.locator('.interactive-response').last().hover();
  await page.getByRole('button', { name: /Retry/ }).last().click();
  await page
    .getByText(/Answer 5 after 0 steps/)
    .first()
    .waitFor();
  assert.deepEqual(talk.sent(), before, 'The same was sent again.');
  await talk.chat.say('turn-3 go on');
  assert.deepEqual(said(talk.sent()), ['turn-1 of another chat', 'turn-2 and now', 'turn-3 go on']);
  assert.ok(!text(talk.sent()).includes('Answer 4 '), 'The answer that was not wanted is not sent.');
});

walk(
  'the received part of an answer that fails or is stopped is kept, and a failure names the call',
  async (openEditor) => {
    using talk = await begin(openEditor, breaksAfter('Once upon a time'), fails(400, 'No such luck.'), answersTurn());
    const { page } = talk.workbench;
    await talk.chat.say('turn-1 tell me a story');
    await page
      .getByText(/POST http:.*chat\/completions/)
      .first()
      .waitFor();
    await talk.chat.say('turn-2 go on');
    await page
      .getByText(/No such luck/)
      .first()
      .waitFor();
    await talk.workbench.takeScreenshot('walk-chat-failed');
    await talk.chat.say('turn-3 once more');
    assert.deepEqual(said(talk.sent()), ['turn-1 tell me a story', 'turn-2 go on', 'turn-3 once more']);
    assert.ok(text(talk.sent()).includes('Once upon a time'));
    const first = talk.files.conversation();
    await talk.proveSent(first);

    await talk.chat.startNew();
    await talk.chat.write(`turn-1 PACE=1500 ${'slowly '.repeat(20)}`);
    await page.keyboard.press('Enter');
    await talk.workbench
      .sideBarWebview()
      .getByText(/Answer 2 after/)
      .first()
      .waitFor();
    await talk.workbench.takeScreenshot('walk-chat-streaming');
    await page.locator('.chat-execute-toolbar .codicon-stop-circle').click();
    await talk.chat.say('turn-2 go on');
    assert.match(said(talk.sent())[0] ?? '', /^turn-1 PACE/);
    assert.equal(said(talk.sent()).length, 2);
    assert.ok(text(talk.sent()).includes('Answer 2 after'), 'What came of the first answer is sent.');
    const [second] = talk.files.conversations().filter((file) => file !== first);
    await talk.proveSent(second);
  },
);

walk('without any model, the chat says how to get one', async (openEditor) => {
  const { workbench } = await openSample(openEditor);
  const chat = await Chat.open(workbench, 'Strata: set up a model');
  const answer = await chat.say('hello');
  await answer
    .getByText(/no language model/i)
    .first()
    .waitFor();
  await workbench.takeScreenshot('walk-chat-no-model');
  await chat.say('/context');
});

class Talk implements Disposable {
  readonly workbench: Workbench;
  readonly chat: Chat;
  readonly files: StrataFiles;
  readonly #server: ModelServer;

  constructor(workbench: Workbench, chat: Chat, server: ModelServer) {
    this.workbench = workbench;
    this.chat = chat;
    this.files = new StrataFiles(workbench);
    this.#server = server;
  }

  sent(): readonly Message[] {
    return this.#server.asked.at(-1)?.body.messages as readonly Message[];
  }

  async proveSent(file: string | undefined): Promise<void> {
    assert.deepEqual(this.sent(), (await this.files.messages(file)).slice(0, -1));
  }

  [Symbol.dispose](): void {
    this.#server.close();
  }
}

async function begin(openEditor: OpenEditor, ...behaviours: readonly Behaviour[]): Promise<Talk> {
  const server = await startModelServer(...behaviours);
  try {
    const { workbench } = await openSample(openEditor, {
      'strata.summarizer.openai.baseUrl': server.baseUrl,
      'strata.summarizer.openai.model': 'scripted',
    });
    await workbench.runCommand('View: Show Strata');
    return new Talk(workbench, await Chat.open(workbench, 'Strata: scripted'), server);
  } catch (error) {
    server.close();
    throw error;
  }
}

/** The person's messages, in order. */
function said(messages: readonly Message[]): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content?.trim() ?? '');
}

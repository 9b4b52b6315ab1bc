import assert from 'node:assert/strict';
import type { FrameLocator } from 'playwright-core';
import { answersTurn } from '../../builders/scripted-chat.ts';
import { type ModelServer, startModelServer } from '../../builders/scripted-model-server.ts';
import type { Workbench } from '../browser-editor/workbench.ts';
import { Chat, extensionsFolder } from '../chat.ts';
import { openSample } from '../inspector.ts';
import { blocks, type Message, StrataFiles, text } from '../strata-files.ts';
import { walk } from '../walk.ts';

/** Walks with `@strata` in VS Code's own Chat view, and a scripted server on loopback. */

const rule = 'Never touch the folder vendor/, whatever happens.';

walk(
  'a long chat is sent exactly what is shown: compacted, undone, pinned, compacted by itself, reloaded',
  async (openEditor) => {
    using talk = await beginTalk(openEditor);
    const { chat, workbench } = talk;

    for (let turn = 1; turn <= 10; turn += 1) await talk.turn(turn);
    await talk.proveSent();
    const original = await talk.files.messages();

    await talk.compact('keep the names of the files');
    await talk.turn(11);
    const compacted = await talk.proveSent();
    assert.ok(blocks(compacted) > 0, 'The model was sent blocks.');
    assert.ok(size(compacted) < size(original), 'The model was sent less.');
    await workbench.takeScreenshot('walk-chat-compacted');

    await chat.say(`/pin constraint ${rule}`);
    talk.mustHold = rule;
    for (let turn = 12; turn <= 16; turn += 2) {
      await talk.turn(turn);
      await talk.turn(turn + 1);
      await talk.compact();
      await talk.proveFiles();
    }

    for (let undo = 1; undo <= 4; undo += 1) await chat.say('/undo');
    await talk.turn(18);
    const undone = await talk.proveSent();
    assert.equal(blocks(undone), 0, 'No block is left.');
    const dialogue = undone.filter(({ role }) => role !== 'system');
    const before = original.filter(({ role }) => role !== 'system');
    assert.deepEqual(dialogue.slice(0, before.length), before, 'The original messages are back in their places.');
    assert.ok(text(undone).includes('turn-17'), 'The newer turns are kept.');

    await chat.say('/autocompact on');
    let turn = 18;
    let answer: string;
    do {
      turn += 1;
      assert.ok(turn <= 36, 'It is compacted by itself.');
      answer = await (await talk.turn(turn)).innerText();
    } while (!answer.includes('Compacted automatically'));
    assert.ok(blocks(await talk.proveSent()) > 0);
    await workbench.takeScreenshot('walk-chat-automatic');

    await workbench.reloadWindow();
    await workbench.page.locator('.interactive-response').last().waitFor();
    await chat.ready();
    for (const next of [turn + 1, turn + 2]) await talk.turn(next);
    await talk.proveSent();
    assert.equal(talk.files.conversations().length, 1, 'It is the same conversation after a reload.');
    await proveShown(talk.panel(), talk.files);
    await workbench.takeScreenshot('walk-chat-reloaded');
  },
  { timeoutMs: 600_000 },
);

walk('the chat asks who writes, and one click answers and previews again', async (openEditor) => {
  using talk = await beginTalk(openEditor);
  const { workbench, chat, server } = talk;
  for (let turn = 1; turn <= 12; turn += 1) await talk.turn(turn);
  await chat.say('/compact keep the names of the files');
  const { page } = workbench;
  await page.getByText('Who writes the summaries?').last().waitFor();
  await workbench.takeScreenshot('walk-chat-writers');
  const calls = server.asked.length;
  await page
    .getByRole('button', { name: /^scripted at / })
    .last()
    .click();
  // The server answers every prompt with a sentence that is not a summary.
  await page.getByText('The model failed, so the rest is written without a model.', { exact: true }).waitFor();
  assert.ok(server.asked.length > calls, 'The server was asked to write.');
  const newest = page.locator('.interactive-response').last();
  await newest.getByRole('button', { name: 'Apply', exact: true }).waitFor();
  assert.equal(await newest.getByText('Who writes the summaries?').count(), 0, 'It is not asked again.');
  await workbench.takeScreenshot('walk-chat-writer-answered');
});

/** The parts of a conversation in a walk. */
class Talk implements Disposable {
  /** Text that every request must contain once from now on. */
  mustHold: string | null = null;

  readonly workbench: Workbench;
  readonly chat: Chat;
  readonly files: StrataFiles;
  readonly server: ModelServer;

  constructor(workbench: Workbench, chat: Chat, server: ModelServer) {
    this.workbench = workbench;
    this.chat = chat;
    this.files = new StrataFiles(workbench);
    this.server = server;
  }

  /** A turn in which the model uses a tool once. */
  async turn(number: number) {
    const answer = await this.chat.say(`turn-${number} look at part ${number} TOOLS=1`);
    const body = this.#newestRequest();
    assert.ok(text(body).includes(`turn-${number} `), 'The newest request is about this turn.');
    if (this.mustHold !== null) assert.equal(text(body).split(this.mustHold).length, 2, 'The rule stands in it, once.');
    return answer;
  }

  /**
   * Asserts that the newest request contained exactly the context according to the files, without its reply. A pinned
   * text is also in the history if the person said it.
   */
  async proveSent(): Promise<readonly Message[]> {
    const sent = this.#newestRequest();
    const context = await this.files.messages();
    assert.equal(context.at(-1)?.role, 'assistant');
    assert.deepEqual(sent, context.slice(0, -1));
    return sent;
  }

  /** Asserts that the next request, made from the files, would contain the rule once. */
  async proveFiles(): Promise<void> {
    const context = await this.files.messages();
    assert.equal(text(context).split(this.mustHold ?? '').length, 2);
  }

  /** Previews a compaction in the chat and applies it there. */
  async compact(instructions = ''): Promise<void> {
    await this.chat.say(`/compact ${instructions}`);
    // The settings do not say who writes, so the chat asks.
    await this.workbench.page.getByText('Who writes the summaries?').last().waitFor();
    await this.workbench.takeScreenshot('walk-chat-compact');
    await this.workbench.page.getByRole('button', { name: 'Apply', exact: true }).last().click();
    await this.workbench.waitForNotification(/Compacted: /);
  }

  #newestRequest(): readonly Message[] {
    return this.server.asked.at(-1)?.body.messages as readonly Message[];
  }

  panel(): FrameLocator {
    return this.workbench.sideBarWebview();
  }

  [Symbol.dispose](): void {
    this.server.close();
  }
}

async function beginTalk(openEditor: Parameters<typeof openSample>[0]): Promise<Talk> {
  const server = await startModelServer(answersTurn());
  const settings = {
    'strata.summarizer.openai.baseUrl': server.baseUrl,
    'strata.summarizer.openai.model': 'scripted',
    'strata.summarizer.openai.contextWindow': 24_000,
    'strata.chat.tools': ['scripted_look'],
    'strata.compaction.enabled': false,
    'strata.compaction.floorTokens': 2000,
    'strata.compaction.pauseTokens': 1000,
  };
  try {
    const options = { extensionsDir: await extensionsFolder('scripted-agent') };
    const { workbench } = await openSample(openEditor, settings, options);
    await workbench.runCommand('View: Show Strata');
    const chat = await Chat.open(workbench, 'Strata: scripted');
    return new Talk(workbench, chat, server);
  } catch (error) {
    server.close();
    throw error;
  }
}

/** Asserts that the panel's gauge shows the tokens of the files. */
async function proveShown(panel: FrameLocator, files: StrataFiles): Promise<void> {
  const { context } = JSON.parse(await files.strata('inspect', files.conversation(), '--json'));
  const thousands = `${(context.tokens.total / 1000).toFixed(1).replace(/\.0$/, '')}k`;
  await panel.getByRole('img', { name: new RegExp(thousands.replace('.', '\\.')) }).waitFor();
}

function size(messages: readonly Message[]): number {
  return text(messages).length;
}

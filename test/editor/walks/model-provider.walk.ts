import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answersTurn } from '../../builders/scripted-chat.ts';
import { type ModelServer, startModelServer } from '../../builders/scripted-model-server.ts';
import type { Workbench } from '../browser-editor/workbench.ts';
import { extensionsFolder } from '../chat.ts';
import { compactAll, openInSideBar, openSample, rows } from '../inspector.ts';
import { blocks, type Message, StrataFiles, text } from '../strata-files.ts';
import { walk } from '../walk.ts';

/** Walks in which the agent of another extension uses “Strata: <model>”, with a scripted server on loopback. */

const rule = 'Never touch the folder vendor/, whatever happens.';

walk(
  'an agent that goes through a Strata model is sent exactly what is shown: compacted, pinned, undone, reloaded',
  async (openEditor) => {
    using server = Object.assign(await startModelServer(answersTurn()), {
      [Symbol.dispose](this: ModelServer) {
        this.close();
      },
    });
    const settings = {
      'strata.summarizer.openai.baseUrl': server.baseUrl,
      'strata.summarizer.openai.model': 'scripted',
      'strata.summarizer.openai.contextWindow': 24_000,
      'strata.compaction.enabled': false,
      'strata.compaction.floorTokens': 2000,
      'strata.compaction.pauseTokens': 1000,
    };
    const { workbench } = await openSample(openEditor, settings, {
      extensionsDir: await extensionsFolder('scripted-agent'),
    });
    const agent = new Agent(workbench, server);

    await agent.talk(1, 12);
    const original = await agent.proveSent();
    assert.equal(blocks(original), 0);

    const panel = await openInSideBar(workbench);
    await compactAll(panel);
    await agent.talk(13, 14);
    const compacted = await agent.proveSent();
    assert.ok(blocks(compacted) > 0, 'The model was sent blocks.');
    await workbench.takeScreenshot('walk-provider-compacted');

    await agent.talk(15, 15);
    const next = await agent.proveSent();
    const beginning = compacted.slice(0, -2);
    assert.deepEqual(next.slice(0, beginning.length), beginning, 'What was compacted stays in the same words.');

    await workbench.runAndChoose('Strata: Pin…', 'Pin a constraint');
    await workbench.page.getByText('Pin a constraint').waitFor();
    await workbench.answer(rule);
    await panel.getByRole('tab', { name: /Core 1/ }).waitFor();
    await agent.talk(16, 17);
    for (const { body } of server.asked.slice(-4)) assert.equal(text(body.messages).split(rule).length, 2);

    await panel.getByRole('button', { name: /^Undo:/ }).click();
    await panel.getByRole('button', { name: 'Nothing to undo' }).waitFor();
    await agent.talk(18, 18);
    const undone = await agent.proveSent();
    assert.equal(blocks(undone), 0, 'The original messages are back.');

    await workbench.runAndChoose('Strata: Automatic Compaction…', 'On');
    await agent.talk(19, 24);
    assert.ok(blocks(await agent.proveSent()) > 0, 'It was compacted by itself.');

    await workbench.reloadWindow();
    await agent.talk(25, 26);
    assert.ok(blocks(await agent.proveSent()) > 0, 'It stays compacted after a reload.');
    assert.equal(agent.files.conversations().length, 1, 'It is the same conversation after a reload.');
    await workbench.takeScreenshot('walk-provider-reloaded');
  },
  { timeoutMs: 400_000 },
);

walk(
  'a model of another extension answers through Strata as it does itself, and the inspector shows it',
  async (openEditor) => {
    const extensionsDir = await extensionsFolder('scripted-agent', 'scripted-model');
    const { workbench } = await openSample(openEditor, {}, { extensionsDir });
    const order = JSON.stringify({ says: ['turn-1 hello', 'turn-2 more'], model: 'Strata: Scripted One' });
    await writeFile(join(workbench.folder, 'talk.json'), order);
    await workbench.runCommand('Scripted Agent: Talk');
    await workbench.waitForNotification('The agent has said 2 things, up to turn-2');
    const messages = await new StrataFiles(workbench).messages();
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant'],
    );
    assert.match(messages.at(-1)?.content ?? '', /the scripted model has spoken/);
    const panel = await openInSideBar(workbench);
    await rows(panel, /turn-2 more/).waitFor();
  },
);

/** The agent of the test extension. Each message is a turn in which it uses a tool once. */
class Agent {
  readonly workbench: Workbench;
  readonly files: StrataFiles;
  readonly #server: ModelServer;

  constructor(workbench: Workbench, server: ModelServer) {
    this.workbench = workbench;
    this.files = new StrataFiles(workbench);
    this.#server = server;
  }

  async talk(first: number, last: number): Promise<void> {
    const turns = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const says = turns.map((turn) => `turn-${turn} look at part ${turn} TOOLS=1`);
    const order = JSON.stringify({ says, model: 'Strata: scripted' });
    await writeFile(join(this.workbench.folder, 'talk.json'), order);
    await this.workbench.runCommand('Scripted Agent: Talk');
    await this.workbench.waitForNotification(`The agent has said ${says.length} things, up to turn-${last}`);
    await this.workbench.runCommand('Notifications: Clear All Notifications');
  }

  /** Asserts that the newest request contained exactly the context according to the files, without its reply. */
  async proveSent(): Promise<readonly Message[]> {
    const sent = this.#server.asked.at(-1)?.body.messages as readonly Message[];
    const context = await this.files.messages();
    assert.equal(context.at(-1)?.role, 'assistant');
    assert.deepEqual(sent, context.slice(0, -1));
    return sent;
  }
}

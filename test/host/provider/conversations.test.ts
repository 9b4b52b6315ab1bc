import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { textOf } from '../../../extension/engine/conversation/entry';
import type { EditorConversation } from '../../../extension/host/conversations/editor-conversations';
import type { Target } from '../../../extension/host/provider/target';
import { openSession } from '../../../extension/sessions/open';
import type { Session } from '../../../extension/sessions/session';
import { temporaryFolders } from '../../sessions/temporary';
import {
  assistant,
  Call,
  Cancellation,
  Data,
  FakeChat,
  type Message,
  Result,
  system,
  Text,
  Thinking,
  user,
} from './fake-editor';
import { Client, openWindow, type TestSettings, TestStore, type TestWindow, toolOutput } from './window';

vi.mock('vscode', async () => (await import('./fake-editor')).editorApi);

const newRoot = temporaryFolders();

/** Calls two tools for each message of the person, then answers. Its text contains the number of the request. */
function worker(): FakeChat {
  let asked = 0;
  return new FakeChat(async function* (messages) {
    asked += 1;
    const last = messages.at(-1)?.content[0];
    if (last instanceof Result) {
      yield new Text(`Answer ${asked}: `);
      yield new Text(`both files are fine, I read them because you asked for them.`);
    } else {
      yield new Thinking('Hm.');
      yield new Text('I read the files.');
      yield new Call(`read-${asked}-a`, 'read', { path: 'a.ts' });
      yield new Call(`read-${asked}-b`, 'read', { path: 'b.ts' });
    }
  });
}

function parrot(): FakeChat {
  let asked = 0;
  return new FakeChat(async function* () {
    asked += 1;
    yield new Text(`Answer ${asked}.`);
  });
}

async function sessions(window: TestWindow): Promise<Session[]> {
  const files = readdirSync(window.store.folder).filter((name) => name.endsWith('.jsonl'));
  const opened = await Promise.all(files.map((name) => openSession(join(window.store.folder, name))));
  return opened.map((outcome) => {
    if (outcome.kind !== 'opened') throw new Error(String(outcome.message));
    expect(outcome.session.issues).toEqual([]);
    return outcome.session;
  });
}

async function only(window: TestWindow): Promise<Session> {
  const [session, ...others] = await sessions(window);
  expect(others).toEqual([]);
  if (!session) throw new Error('No conversation was kept');
  return session;
}

function texts(messages: readonly Pick<Message, 'content'>[]): string[] {
  return messages.map(({ content }) =>
    content
      .map((part) => {
        if (part instanceof Result)
          return part.content.map((piece) => (piece instanceof Text ? piece.value : '')).join('');
        return part instanceof Text ? part.value : '';
      })
      .join(''),
  );
}

function said(session: Session): string[] {
  return session.conversation.agentContext.map(({ parts }) =>
    parts.map((part) => (part.type === 'text' || part.type === 'tool_result' ? part.text : '')).join(''),
  );
}

/** For each request, whether it begins exactly as the one before did. */
function keepsPrefix(chat: FakeChat): boolean[] {
  const sent = chat.requests.map(({ messages }) => messages.map((message) => JSON.stringify(message)));
  return sent.slice(1).map((messages, index) => sent[index]?.every((text, at) => messages[at] === text) ?? false);
}

describe('a conversation of several turns with tools', () => {
  it('a conversation of several turns with tools is one file that says what the client says, and goes out as the very objects that came in', async () => {
    const chat = worker();
    const window = openWindow(newRoot(), chat, { settings: { enabled: false } });
    const client = new Client(window);
    for (const text of ['Fix a.', 'Fix b.', 'Fix c.']) await client.ask(text);
    const session = await only(window);
    expect(said(session)).toEqual(
      client.messages.flatMap((message) =>
        message.content[0] instanceof Result
          ? message.content.map((part) => toolOutput((part as Result).callId))
          : texts([message]),
      ),
    );
    expect([session.model, session.contextWindow]).toEqual(['small', 100_000]);
    for (const [at, { messages }] of chat.requests.entries()) {
      for (const [index, message] of messages.entries()) {
        expect(message, `request ${at}`).toBe(client.messages[index]);
      }
    }
    expect(window.notices).toEqual([]);
  });

  it('keeps what was compacted in the same words until it is compacted again', async () => {
    const chat = worker();
    const window = openWindow(newRoot(), chat);
    const client = new Client(window);
    for (let turn = 0; turn < 14; turn += 1)
      await client.ask(`Please fix part ${turn} and keep loadConfig() as it is.`);
    const compactions = window.notices.filter((notice) => notice.startsWith('info: Compacted between turns')).length;
    expect(compactions).toBeGreaterThan(1);
    expect(keepsPrefix(chat).filter((kept) => !kept)).toHaveLength(compactions);
    const last = chat.requests.at(-1)?.messages ?? [];
    expect(last.length).toBeLessThan(client.messages.length);
    expect(texts(last).join('\n')).toContain('[SUMMARIZED]');
    expect(texts(last).at(-1)).toBe(
      client.messages
        .at(-2)
        ?.content.map((part) => toolOutput((part as Result).callId))
        .join(''),
    );
    expect(window.notices.filter((notice) => !notice.startsWith('info'))).toEqual([]);
  });

  it('a conversation of several turns with tools is sent as the panel shows it', async () => {
    const chat = worker();
    const window = openWindow(newRoot(), chat);
    const client = new Client(window);
    for (let turn = 0; turn < 9; turn += 1) await client.ask(`Please fix part ${turn}.`);
    const { id } = await only(window);
    const { workbench } = await window.store.open(id);
    const shown = workbench.context.messages
      .slice(0, -1)
      .map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''));
    const sent = chat.requests.at(-1)?.messages ?? [];
    const apart = sent.flatMap((message) =>
      message.content[0] instanceof Result
        ? message.content.map((part) => toolOutput((part as Result).callId))
        : texts([message]),
    );
    expect(apart).toEqual(shown.map((text) => text.replace('Hm.', '')));
  });

  it('continues after a reload with the same blocks', async () => {
    const root = newRoot();
    const chat = worker();
    const client = new Client(openWindow(root, chat));
    for (let turn = 0; turn < 8; turn += 1) await client.ask(`Please fix part ${turn}.`);
    const before = chat.requests.length;
    client.window = openWindow(root, chat);
    await client.ask('And now the rest.');
    expect((await sessions(client.window)).length).toBe(1);
    expect(texts(chat.requests.at(-1)?.messages ?? []).join('\n')).toContain('[SUMMARIZED]');
    const compacted = client.window.notices.filter((notice) => notice.includes('Compacted')).length;
    expect(
      keepsPrefix(chat)
        .slice(before - 1)
        .filter((kept) => !kept),
    ).toHaveLength(compacted);
  });
});

describe('with automatic compaction off', () => {
  it('nothing is compacted by itself, but what was compacted by hand is sent so', async () => {
    const chat = worker();
    const window = openWindow(newRoot(), chat, { settings: { enabled: false } });
    const client = new Client(window);
    for (let turn = 0; turn < 10; turn += 1) await client.ask(`Please fix part ${turn}.`);
    expect(chat.requests.at(-1)?.messages).toEqual(client.messages.slice(0, -1));
    await window.store.compactByHand((await only(window)).id);
    await client.ask('Go on.');
    const sent = chat.requests.at(-1)?.messages ?? [];
    expect(sent.length).toBeLessThan(client.messages.length - 1);
    expect(texts(sent)[1]).toContain('[SUMMARIZED]');
  });

  it('a pinned item is in every request once', async () => {
    const chat = parrot();
    const window = openWindow(newRoot(), chat, { settings: { enabled: false } });
    const client = new Client(window);
    await client.ask('Fix it.');
    const { workbench } = await window.store.open((await only(window)).id);
    await workbench.coreEditor.pin('constraint', 'Never rename loadConfig().', null);
    for (const text of ['Go on.', 'And on.']) {
      await client.ask(text);
      const sent = chat.requests.at(-1)?.messages ?? [];
      expect(texts(sent).join('\n').split('Never rename loadConfig().')).toHaveLength(2);
      expect(sent.slice(1)).toEqual(client.messages.slice(0, -1));
    }
  });
});

describe('a client that does as it likes', () => {
  it('may try again: both answers are stored', async () => {
    const chat = parrot();
    const window = openWindow(newRoot(), chat);
    const client = new Client(window);
    await client.ask('One.');
    await client.ask('Two.');
    client.messages.pop();
    await client.answer();
    const session = await only(window);
    expect(said(session)).toEqual(['One.', 'Answer 1.', 'Two.', 'Answer 3.']);
    expect(session.conversation.entries).toHaveLength(5);
  });

  it('may try again in vain: then its conversation ends with the message that was not answered', async () => {
    let fails = false;
    const chat = new FakeChat(async function* () {
      if (fails) throw new Error('The line is down');
      yield new Text('Hello.');
    });
    const window = openWindow(newRoot(), chat);
    const client = new Client(window);
    await client.ask('One.');
    await client.ask('Two.');
    client.messages.pop();
    fails = true;
    await expect(client.answer()).rejects.toThrow('The line is down');
    expect(said(await only(window))).toEqual(['One.', 'Hello.', 'Two.']);
  });

  it('may try again and get the same answer, which is kept once', async () => {
    const chat = new FakeChat(async function* () {
      yield new Text('Hello.');
    });
    const window = openWindow(newRoot(), chat);
    const client = new Client(window);
    for (const text of ['One.', 'Two.']) await client.ask(text);
    client.messages.pop();
    await client.answer();
    const session = await only(window);
    expect(session.conversation.entries).toHaveLength(4);
    expect(said(session)).toEqual(['One.', 'Hello.', 'Two.', 'Hello.']);
  });

  it('may try its first message again before it had an answer', async () => {
    let fails = true;
    const chat = new FakeChat(async function* () {
      if (fails) throw new Error('The line is down');
      yield new Text('Hello.');
    });
    const window = openWindow(newRoot(), chat);
    await expect(window.send([user('hi')])).rejects.toThrow('The line is down');
    fails = false;
    await window.send([user('hi')]);
    expect(said(await only(window))).toEqual(['hi', 'Hello.']);
  });

  it('may edit its history: what was there before stays on a branch, and what is sent is the edited one', async () => {
    const chat = worker();
    const window = openWindow(newRoot(), chat);
    const client = new Client(window);
    for (let turn = 0; turn < 9; turn += 1) await client.ask(`Please fix part ${turn}.`);
    expect(texts(chat.requests.at(-1)?.messages ?? []).join('\n')).toContain('[SUMMARIZED]');
    const count = (await only(window)).conversation.entries.length;
    client.messages = [...client.messages.slice(0, 4), user('No, something else.')];
    await client.answer();
    const session = await only(window);
    expect(session.conversation.entries.length).toBe(count + 5);
    const [first] = chat.requests.at(-1)?.messages ?? [];
    expect(chat.requests.at(-1)?.messages).toEqual(client.messages.slice(0, -1));
    expect(first).toBe(client.messages[0]);
  });

  it('may send the answer back altered', async () => {
    const chat = parrot();
    const window = openWindow(newRoot(), chat);
    await window.send([user('One.')]);
    await window.send([user('One.'), assistant('Answer 1, shortened.'), user('Two.')]);
    const session = await only(window);
    expect(said(session)).toEqual(['One.', 'Answer 1, shortened.', 'Two.', 'Answer 2.']);
    expect(session.conversation.entries).toHaveLength(5);
  });

  it('may begin two conversations with the same words', async () => {
    const chat = parrot();
    const window = openWindow(newRoot(), chat);
    const [first, second] = [new Client(window), new Client(window)];
    await first.ask('hi');
    await second.ask('hi');
    await first.ask('This is the first.');
    await second.ask('This is the second.');
    expect((await sessions(window)).map(said).sort()).toEqual([
      ['hi', 'Answer 1.', 'This is the first.', 'Answer 3.'],
      ['hi', 'Answer 2.', 'This is the second.', 'Answer 4.'],
    ]);
  });

  it('that begins every chat with the same instructions gets no pin of another chat', async () => {
    const model = parrot();
    const window = openWindow(newRoot(), model);
    const instructions = () => user('<environment>linux</environment>');
    await window.send([instructions(), user('the secret project')]);
    const [name = ''] = readdirSync(window.store.folder).filter((file) => file.endsWith('.jsonl'));
    const secret = await window.store.open(name.replace('.jsonl', ''));
    await secret.workbench.coreEditor.pin('constraint', 'the token is hunter2', null);
    await window.send([instructions(), user('unrelated'), assistant('said by another model'), user('go on')]);
    expect(texts(model.requests.at(-1)?.messages ?? []).join('\n')).not.toContain('hunter2');
  });

  it('may begin both at once', async () => {
    const chat = parrot();
    const window = openWindow(newRoot(), chat);
    await Promise.all([window.send([user('hi')]), window.send([user('hi')])]);
    expect((await sessions(window)).map((session) => said(session)[0])).toEqual(['hi', 'hi']);
  });

  it('may send pictures, prompts and parts of unknown kinds', async () => {
    const chat = parrot();
    const window = openWindow(newRoot(), chat, { settings: { enabled: false } });
    const picture = new Data(new Uint8Array([1, 2, 3]), 'image/png');
    const mark = new Data(new Uint8Array([4]), 'cache_control');
    const messages = [
      system('Be brief.'),
      user(picture, 'What is it?', mark),
      assistant(new Thinking('A cat.')),
      user('Well?'),
    ];
    await window.send(messages, {
      options: { toolMode: 1, tools: [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }] },
    });
    const [sent, ...rest] = chat.requests.at(-1)?.messages ?? [];
    expect(sent).toMatchObject({ role: 1, content: messages[0]?.content });
    for (const [index, message] of rest.entries()) expect(message).toBe(messages[index + 1]);
    expect(chat.requests[0]?.options).toMatchObject({ toolMode: 1, tools: [{ name: 'read' }] });
    const [prompt, asked] = (await only(window)).conversation.agentContext;
    expect(prompt?.parts.map(({ type }) => type)).toEqual(['text', 'tool_definitions']);
    expect(asked?.parts).toEqual([
      { type: 'image', mediaType: 'image/png', data: 'AQID' },
      { type: 'text', text: 'What is it?' },
    ]);
  });
});

describe('the conversation at work', () => {
  it('the conversation at work is the one that was answered last, for ten minutes', async () => {
    let minutes = 0;
    const now = () => new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
    const window = openWindow(newRoot(), parrot(), { now });
    expect(window.requests.recentConversation()).toBeNull();
    await window.send([user('One.')]);
    const first = window.requests.recentConversation();
    expect((await only(window)).id).toBe(first);
    await window.send([user('Two.')]);
    expect([null, first]).not.toContain(window.requests.recentConversation());
    minutes = 10;
    expect(window.requests.recentConversation()).not.toBeNull();
    minutes = 11;
    expect(window.requests.recentConversation()).toBeNull();
  });
});

describe('an answer', () => {
  it('stores the received part of an answer that breaks off, marked as incomplete', async () => {
    const chat = new FakeChat(async function* () {
      yield new Text('Half of ');
      yield new Text('it');
      throw new Error('The line is down');
    });
    const window = openWindow(newRoot(), chat);
    const parts: unknown[] = [];
    await expect(window.send([user('hi')], { parts })).rejects.toThrow('The line is down');
    expect(texts([{ content: parts }])).toEqual(['Half of it']);
    expect(said(await only(window))).toEqual(['hi', 'Half of it']);
  });

  it('the received part of an answer that a person cancels is kept', async () => {
    const cancellation = new Cancellation();
    const chat = new FakeChat(async function* () {
      yield new Text('Half of it');
      cancellation.cancel();
    });
    const window = openWindow(newRoot(), chat);
    await window.send([user('hi')], { token: cancellation.token });
    const session = await only(window);
    expect(said(session)).toEqual(['hi', 'Half of it']);
    expect(recordsOf(window).at(-1)).toMatchObject({ type: 'turn-ended', outcome: 'cancelled' });
  });

  it('an answer can be read in the file while it comes', async () => {
    let proceed: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const chat = new FakeChat(async function* () {
      yield new Text('The first half');
      await waiting;
      yield new Text(' and the second.');
    });
    const window = openWindow(newRoot(), chat);
    const sending = window.send([user('hi')]);
    await expect.poll(async () => recordsOf(window).map(({ type }) => type), { timeout: 5000 }).toContain('piece');
    expect(said(await only(window))).toEqual(['hi', 'The first half']);
    proceed();
    await sending;
    const session = await only(window);
    expect(said(session)).toEqual(['hi', 'The first half and the second.']);
    expect(session.conversation.entries).toHaveLength(2);
  });
});

/** Its disk accepts no more writes once it is full. */
class FillingStore extends TestStore {
  constructor(
    root: string,
    settings: TestSettings,
    private readonly disk: { readonly isFull: boolean },
  ) {
    super(root, settings);
  }

  override async open(id: string): Promise<EditorConversation> {
    const conversation = await super.open(id);
    if (this.disk.isFull) conversation.append = () => Promise.reject(new Error('The disk is full'));
    return conversation;
  }
}

describe('a request that cannot be kept', () => {
  it('is sent anyway, with the known blocks, and a notice says so', async () => {
    const root = newRoot();
    const chat = worker();
    const disk = { isFull: false };
    const window = openWindow(root, chat, { store: (folder, settings) => new FillingStore(folder, settings, disk) });
    const client = new Client(window);
    for (let turn = 0; turn < 8; turn += 1) await client.ask(`Please fix part ${turn}.`);
    disk.isFull = true;
    const compacted = window.notices.length;
    await client.ask('And now the rest.');
    const sent = texts(chat.requests.at(-1)?.messages ?? []);
    expect(sent.join('\n')).toContain('[SUMMARIZED]');
    expect(sent).toContain('And now the rest.');
    expect(sent.at(-1)).toContain('Line 11 of');
    expect(keepsPrefix(chat).at(-1)).toBe(true);
    expect(window.notices.slice(compacted)).toContainEqual(
      expect.stringMatching(/^not kept: A request of the conversation [\w-]+ could not be kept: The disk is full$/),
    );
  });

  it('goes to an endpoint with all that is new', async () => {
    const disk = { isFull: false };
    const sent: string[][] = [];
    const target: Target = {
      model: 'qwen',
      contextWindow: null,
      admit: async () => undefined,
      countTokens: async () => 0,
      answer: async ({ context }) => {
        sent.push(context.messages.map(({ parts }) => textOf(parts)));
      },
    };
    const store = (folder: string, settings: TestSettings) => new FillingStore(folder, settings, disk);
    const window = openWindow(newRoot(), parrot(), { store, target });
    await window.send([user('One.')]);
    disk.isFull = true;
    await window.send([user('One.'), assistant('Yes.'), user('Two.')]);
    expect(sent).toEqual([['One.'], ['One.', 'Yes.', 'Two.']]);
  });

  it('is sent unchanged if there can be no conversation at all', async () => {
    const root = newRoot();
    writeFileSync(join(root, 'conversations'), 'no folder');
    const chat = parrot();
    const window = openWindow(root, chat);
    const messages = [user('One.'), assistant('Yes.'), user('Two.')];
    await window.send(messages);
    expect(chat.requests[0]?.messages).toEqual(messages);
    expect(window.notices.some((notice) => notice.startsWith('not kept: A conversation could not be kept'))).toBe(true);
  });
});

describe('in the middle of a turn', () => {
  it('nothing is compacted, unless the request would not fit any more; then the log says so', async () => {
    const steps = (fits: boolean) => {
      let asked = 0;
      const answer = async function* () {
        asked += 1;
        yield new Text('I read on.');
        if (asked % 8 !== 0) yield new Call(`read-${asked}`, 'read', { path: 'a.ts' });
      };
      return new FakeChat(answer, fits ? 100_000 : 3000);
    };
    const parameters = { checkpoint: { reserveTokens: 600, keepRecentTokens: 300 } };
    for (const fits of [true, false]) {
      const window = openWindow(newRoot(), steps(fits), { settings: { parameters } });
      const client = new Client(window);
      for (const text of ['One.', 'Two.']) await client.ask(text);
      const told = window.notices.filter((notice) => notice.includes('does not fit'));
      expect(told.length > 0).toBe(!fits);
    }
  });
});

function recordsOf(window: TestWindow): Record<string, unknown>[] {
  const { folder } = window.store;
  const [name] = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.jsonl')) : [];
  if (name === undefined) return [];
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

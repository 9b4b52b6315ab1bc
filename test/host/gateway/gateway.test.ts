import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { gatewayCommandId } from '../../../extension/host/command-ids';
import { type GatewayServices, registerGateway } from '../../../extension/host/gateway/register';
import { tokenSecret } from '../../../extension/host/gateway/token';
import { ownConversations } from '../../builders/own-conversations';
import { answersTurn } from '../../builders/scripted-chat';
import { type ModelServer, startModelServer } from '../../builders/scripted-model-server';
import { FakeEditor } from './fake-editor';

const fake = vi.hoisted(() => ({ editor: null as FakeEditor | null }));

vi.mock('vscode', () => {
  const api = () => {
    if (fake.editor === null) throw new Error('There is no editor yet');
    return fake.editor.api();
  };
  const names = [
    'l10n',
    'Disposable',
    'MarkdownString',
    'StatusBarAlignment',
    'commands',
    'env',
    'window',
    'workspace',
  ];
  return Object.defineProperties(
    {},
    Object.fromEntries(names.map((name) => [name, { enumerable: true, get: () => Reflect.get(api(), name) }])),
  );
});

const run = (action?: string) => editor.run(gatewayCommandId, action);
const key = 'sk-a-key-of-the-person';

let editor: FakeEditor;
let upstream: ModelServer;
let folder: string;
let log: string[];
let opened: string[];
let gateway: { dispose(): unknown };

beforeEach(async () => {
  editor = new FakeEditor();
  fake.editor = editor;
  upstream = await startModelServer(answersTurn());
  editor.settings['strata.gateway.baseUrls'] = { openai: upstream.baseUrl };
  folder = mkdtempSync(join(tmpdir(), 'strata-host-gateway-'));
  log = [];
  opened = [];
  gateway = registerGateway(services());
});

afterEach(() => {
  gateway.dispose();
  upstream.close();
  rmSync(folder, { recursive: true, force: true });
});

function services(): GatewayServices {
  const heard = (line: string) => void log.push(line);
  const channel = { info: heard, warn: heard, error: heard, show: () => undefined };
  return {
    conversations: ownConversations(folder),
    onCompacted: () => undefined,
    inspector: { inspection: null, open: async (file: string) => void opened.push(file) },
    placements: { show: async () => undefined },
    secrets: editor.secretStorage,
    globalState: editor.memento,
    log: channel,
  } as unknown as GatewayServices;
}

/** The address to configure in an OpenAI client. */
async function address(): Promise<string> {
  editor.chosen.add('OpenAI SDK');
  await run('copySetup');
  return editor.clipboard.replace('export OPENAI_BASE_URL=', '');
}

/** Tools, as an agent offers them. */
const tools = [
  { type: 'function', function: { name: 'read', description: 'Reads a file.', parameters: { type: 'object' } } },
];

function say(to: string, ...texts: readonly string[]): Promise<Response> {
  return post(to, texts, { tools });
}

async function post(to: string, texts: readonly string[], more: object): Promise<Response> {
  const messages = texts.map((content, index) => ({ role: index % 2 === 0 ? 'user' : 'assistant', content }));
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  const body = JSON.stringify({ model: 'scripted', messages, ...more });
  return await fetch(`${to}/chat/completions`, { method: 'POST', headers, body });
}

function conversations(): string[] {
  return readdirSync(join(folder, 'conversations')).filter((name) => name.endsWith('.jsonl'));
}

describe('the gateway in the editor', () => {
  it('runs from its start to its stop, and at no other time', async () => {
    expect(editor.statusBar).toBeNull();
    await run('start');
    const to = await address();
    expect(editor.statusBar).not.toBeNull();
    expect((await say(to, 'hello')).status).toBe(200);
    await run('stop');
    expect(editor.statusBar).toBeNull();
    await expect(say(to, 'hello')).rejects.toThrow('fetch failed');
  });

  it('ends with the window', async () => {
    await run('start');
    const to = await address();
    gateway.dispose();
    await expect(say(to, 'hello')).rejects.toThrow('fetch failed');
  });

  it('says where it runs when it is started a second time', async () => {
    await run('start');
    await run('start');
    expect(editor.messages).toHaveLength(2);
    expect(editor.messages[1]).toBe(editor.messages[0]);
  });

  it('does not start in a workspace that is not trusted', async () => {
    editor.isTrusted = false;
    await run('start');
    expect(editor.messages).toEqual(['The gateway starts only in a workspace that you trust.']);
    expect(editor.statusBar).toBeNull();
  });

  it('says what is wrong with the address of a provider', async () => {
    editor.settings['strata.gateway.baseUrls'] = { anthropic: 'nowhere' };
    await run('start');
    expect(editor.messages).toEqual([expect.stringContaining('"nowhere"')]);
    expect(editor.statusBar).toBeNull();
  });

  it('reads the address of a provider under its former name from the settings of the person, and says how it is called now', async () => {
    const [mine, theirs] = [await startModelServer(answersTurn()), await startModelServer(answersTurn())];
    delete editor.settings['strata.gateway.baseUrls'];
    editor.settings['strata.gateway.openaiBaseUrl'] = mine.baseUrl;
    editor.workspaceSettings['strata.gateway.openaiBaseUrl'] = theirs.baseUrl;
    await run('start');
    await say(await address(), 'hello');
    expect([mine.asked.length, theirs.asked.length]).toEqual([1, 0]);
    expect(log).toContainEqual(expect.stringContaining('openaiBaseUrl is a member of strata.gateway.baseUrls now'));
    mine.close();
    theirs.close();
  });

  it('shows its address and its requests in the status bar, but not its token', async () => {
    await run('start');
    const to = await address();
    await say(to, 'hello');
    await expect.poll(() => editor.statusBar).toContain('Requests so far: 1');
    expect(editor.statusBar).toContain(new URL(to).origin);
    expect(editor.statusBar).not.toContain(editor.secrets.get(tokenSecret));
  });
});

describe('a request through the gateway', () => {
  it('stores a request as a conversation made by the gateway', async () => {
    await run('start');
    await say(await address(), 'a first word');
    const [name = '', ...more] = conversations();
    expect(more).toEqual([]);
    const [header = ''] = readFileSync(join(folder, 'conversations', name), 'utf8').split('\n');
    expect(JSON.parse(header)).toMatchObject({ madeBy: 'gateway' });
  });

  it('a question without tools is stored only once it is continued', async () => {
    await run('start');
    const to = await address();
    expect((await post(to, ['Give this a title.'], {})).status).toBe(200);
    expect(existsSync(join(folder, 'conversations'))).toBe(false);
    await post(to, ['Give this a title.', 'Keys', 'Another one.'], {});
    expect(conversations()).toHaveLength(1);
    editor.settings['strata.conversations.keepOneOffs'] = true;
    await post(to, ['Give that a title.'], {});
    expect(conversations()).toHaveLength(2);
  });

  it('logs one line for each request, without key or token', async () => {
    await run('start');
    await say(await address(), 'hello');
    expect(
      log.filter((line) => /POST \/openai\/chat\/completions 200 \(scripted, \d+ tokens\)/.test(line)),
    ).toHaveLength(1);
    const token = editor.secrets.get(tokenSecret) ?? '';
    const [name = ''] = conversations();
    const everything = [...log, ...editor.messages, readFileSync(join(folder, 'conversations', name), 'utf8')].join(
      '\n',
    );
    expect(everything).not.toContain(key);
    expect(everything).not.toContain(token);
    expect(upstream.asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
  });

  it('opens in the inspector: at once if it is asked for early, else by the command', async () => {
    await run('start');
    await run('showNewest');
    expect(editor.messages.at(-1)).toMatch(/^No agent has asked through the gateway yet/);
    await say(await address(), 'hello');
    await vi.waitFor(() => expect(opened).toHaveLength(1));
    await say(await address(), 'something else');
    expect(opened).toHaveLength(1);
    editor.chosen.add('$(eye) Show Newest Conversation');
    await run();
    expect(opened).toHaveLength(2);
    expect(opened[1]).not.toBe(opened[0]);
  });

  it('does not open by itself after a stop, though it was asked for before', async () => {
    await run('start');
    await run('showNewest');
    await run('stop');
    await run('start');
    await say(await address(), 'hello');
    expect(conversations()).toHaveLength(1);
    expect(opened).toEqual([]);
  });

  it('gives a request the window of the setting, else that of the model, else that of unknown models', async () => {
    await run('start');
    const to = await address();
    editor.settings['strata.context.fallbackWindow'] = 50_000;
    await say(to, 'one');
    editor.settings['strata.gateway.contextWindow'] = 12_000;
    await say(to, 'two');
    const texts = conversations().map((name) => readFileSync(join(folder, 'conversations', name), 'utf8'));
    expect(texts.flatMap((text) => /"contextWindow":(\d+)/.exec(text)?.[1] ?? []).sort()).toEqual(['12000', '50000']);
  });
});

describe('the address that agents are given', () => {
  it('the address that agents are given is the same after the gateway was stopped, and in another window later', async () => {
    await run('start');
    const before = await address();
    await run('stop');
    gateway.dispose();
    gateway = registerGateway(services());
    await run('start');
    expect(await address()).toBe(before);
  });

  it('the address that agents are given has another port if the usual one is taken and the person agrees, and the usual one afterwards', async () => {
    const taking = createServer();
    await new Promise<void>((resolve) => taking.listen(0, '127.0.0.1', resolve));
    const { port } = taking.address() as AddressInfo;
    editor.settings['strata.gateway.port'] = port;
    await run('start');
    expect(editor.messages).toEqual([expect.stringContaining(`another program has the port ${port}`)]);
    expect(editor.statusBar).toBeNull();
    editor.chosen.add('Use Another Port');
    await run('start');
    expect(new URL(await address()).port).not.toBe(String(port));
    await run('stop');
    await new Promise((resolve) => taking.close(resolve));
    await run('start');
    expect(new URL(await address()).port).toBe(String(port));
  });

  it('the address that agents are given has a new token once the person wants one: at the same place, where the old one is refused', async () => {
    await run('start');
    const before = await address();
    await run('newToken');
    expect(await address()).toBe(before);
    editor.chosen.add('Make New Token');
    await run('newToken');
    const after = await address();
    expect(after).not.toBe(before);
    expect(new URL(after).origin).toBe(new URL(before).origin);
    expect((await say(before, 'hello')).status).toBe(401);
    expect((await say(after, 'hello')).status).toBe(200);
  });

  it('the address that agents are given has a new token, too, when another window made one', async () => {
    await run('start');
    const before = await address();
    editor.storeSecret(tokenSecret, 'another-token-of-another-window');
    await vi.waitFor(async () => expect((await say(before, 'hello')).status).toBe(401));
    expect(await address()).toContain('another-token-of-another-window');
  });

  it('stays while settings change, until the person restarts it', async () => {
    const other = await startModelServer(answersTurn());
    await run('start');
    const to = await address();
    editor.change('strata.gateway.baseUrls', { openai: other.baseUrl });
    await say(to, 'hello');
    expect(other.asked).toHaveLength(0);
    editor.chosen.add('Restart Gateway');
    editor.change('strata.gateway.baseUrls', { openai: other.baseUrl });
    await vi.waitFor(async () => {
      await say(await address(), 'hello');
      expect(other.asked.length).toBeGreaterThan(0);
    });
    expect(await address()).toBe(to);
    other.close();
  });

  it('offers a restart when the address of a provider changes under its former name', async () => {
    await run('start');
    const said = editor.messages.length;
    editor.change('strata.gateway.anthropicBaseUrl', 'http://127.0.0.1:1');
    await vi.waitFor(() =>
      expect(editor.messages.slice(said)).toEqual([
        'Changed settings of the gateway take effect when it is started again.',
      ]),
    );
  });
});

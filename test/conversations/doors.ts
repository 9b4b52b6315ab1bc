import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type * as vscode from 'vscode';
import { RequestRecorder } from '../../extension/conversations/requests/request-recorder';
import type { WritingTools } from '../../extension/engine/block/strategy';
import type { Summarizer } from '../../extension/engine/block/summary';
import { textOf } from '../../extension/engine/conversation/entry';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import type { LocalizableText } from '../../extension/engine/wording/localizable-text';
import type { ChatServices } from '../../extension/host/chat/chat-services';
import { OpenChats } from '../../extension/host/chat/open-chats';
import { registerParticipant } from '../../extension/host/chat/participant';
import { gatewayCommandId } from '../../extension/host/command-ids';
import { EditorConversations } from '../../extension/host/conversations/editor-conversations';
import { type GatewayServices, registerGateway } from '../../extension/host/gateway/register';
import { readSettings } from '../../extension/host/settings';
import { compactMessages, createConversations } from '../../extension/library';
import { compactingFetch } from '../../extension/library/fetch';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { ownParts } from '../builders/own-conversations';
import { answersTurn } from '../builders/scripted-chat';
import { startModelServer } from '../builders/scripted-model-server';
import { startRunning } from '../gateway/running';
import type { FakeEditor } from '../host/gateway/fake-editor';
import { assistant, FakeChat, type Message, Text, user } from '../host/provider/fake-editor';
import { providerWith } from '../host/provider/window';

/** Messages of a person and an assistant in turns. The first and the last are the person's. */
export type Said = readonly string[];

export interface Door {
  readonly name: string;
  /** Sends a whole history. Resolves to what the model receives, one text for each message. */
  readonly send: (said: Said, setting: DoorSetting) => Promise<readonly string[]>;
}

export interface DoorSetting {
  /** Context window of the model in tokens. */
  readonly window: number;
  readonly summarizer: Summarizer;
  /** Messages that a person or a developer gets, or that are in the log. */
  readonly notices: string[];
  readonly editor: FakeEditor;
}

const model = 'scripted';

export const doors: readonly Door[] = [
  { name: 'an array of messages', send: throughArray },
  { name: 'fetch', send: throughFetch },
  { name: 'the gateway of the command line', send: throughGateway },
  { name: 'the gateway of the editor', send: throughEditorsGateway },
  { name: 'a model of Strata', send: throughModel },
  { name: '@strata', send: throughChat },
];

function messagesOf(said: Said) {
  return said.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }) as const);
}

async function conversationsOf({ window, summarizer, notices }: DoorSetting) {
  return await createConversations({ window, summarizer, onNotice: (message) => void notices.push(message) });
}

async function throughArray(said: Said, setting: DoorSetting): Promise<string[]> {
  const { messages } = await compactMessages(await conversationsOf(setting), messagesOf(said), { model });
  return messages.map(({ content }) => (typeof content === 'string' ? content : textOf(content)));
}

async function throughFetch(said: Said, setting: DoorSetting): Promise<string[]> {
  const upstream = await startUpstream();
  await ask(`${upstream.baseUrl}`, said, compactingFetch(await conversationsOf(setting)));
  return upstream.arrived();
}

async function throughGateway(said: Said, { window, summarizer, notices }: DoorSetting): Promise<string[]> {
  const upstream = await startUpstream();
  const onNotice = (message: string) => void notices.push(message);
  const options = { window, summarizer, onNotice, countTokens: countWithO200k };
  const { address } = await startRunning({ upstream: upstream.address, folder: await newFolder() }, options);
  await ask(`${address}/openai/v1`, said);
  return upstream.arrived();
}

async function throughEditorsGateway(said: Said, setting: DoorSetting): Promise<string[]> {
  const { editor, window } = setting;
  const upstream = await startUpstream();
  editor.settings['strata.gateway.baseUrls'] = { openai: upstream.baseUrl };
  editor.settings['strata.gateway.contextWindow'] = window;
  // Some of these requests have a prompt without a reply and without tools. They would be forwarded and not stored.
  editor.settings['strata.conversations.keepOneOffs'] = true;
  const gateway = registerGateway({
    conversations: await editorConversations(setting),
    onCompacted: () => undefined,
    inspector: { inspection: null, open: async () => undefined },
    placements: { show: async () => undefined },
    secrets: editor.secretStorage,
    globalState: editor.memento,
    log: logInto(setting.notices),
  } as unknown as GatewayServices);
  onTestFinished(() => void gateway.dispose());
  await editor.run(gatewayCommandId, 'start');
  editor.chosen.add('OpenAI SDK');
  await editor.run(gatewayCommandId, 'copySetup');
  await ask(editor.clipboard.replace('export OPENAI_BASE_URL=', ''), said);
  return upstream.arrived();
}

async function throughModel(said: Said, setting: DoorSetting): Promise<string[]> {
  const chat = new FakeChat(async function* () {
    yield new Text('Done.');
  }, setting.window);
  const log = logInto(setting.notices);
  const store = (await editorConversations(setting)).store('model-provider');
  const notices = {
    compacted: () => undefined,
    warn: log.warn,
    notRecorded: (message: LocalizableText) => log.error(String(message)),
  };
  const { send } = providerWith(
    chat,
    new RequestRecorder(store, notices, () => new Date().toISOString(), randomUUID, { goesBack: true }),
  );
  await send(said.map((text, at): Message => (at % 2 === 0 ? user(text) : assistant(text))));
  return (chat.requests.at(-1)?.messages ?? []).map(({ content }) =>
    content.map((part) => (part instanceof Text ? part.value : '')).join(''),
  );
}

type Handler = (...call: readonly unknown[]) => Promise<unknown>;

/** Strata copies the turns of a chat that VS Code shows and Strata does not know into its conversation. */
async function throughChat(said: Said, setting: DoorSetting): Promise<string[]> {
  const { ChatRequestTurn, ChatResponseTurn, ChatResponseMarkdownPart } = (await import('vscode')) as unknown as Record<
    'ChatRequestTurn' | 'ChatResponseTurn' | 'ChatResponseMarkdownPart',
    new (
      ...values: readonly unknown[]
    ) => unknown
  >;
  const conversations = await editorConversations(setting);
  let sent: string[] = [];
  const services = {
    conversations,
    chats: new OpenChats(conversations, setting.editor.memento as never),
    inspector: { inspection: null, open: async () => undefined, refresh: async () => undefined },
    chatModelOf: async () => ({
      ...{ model, name: model, contextWindow: setting.window },
      async *converse({ messages }: { messages: readonly { parts: Parameters<typeof textOf>[0] }[] }) {
        sent = messages.map(({ parts }) => textOf(parts));
        yield { type: 'text', text: 'Done.' };
      },
    }),
    log: logInto(setting.notices),
    lastSession: { read: () => null },
  } as unknown as ChatServices;
  const { handler } = registerParticipant(services) as unknown as { handler: Handler };
  const history = said
    .slice(0, -1)
    .map((text, at) =>
      at % 2 === 0
        ? new ChatRequestTurn(text, [])
        : new ChatResponseTurn([new ChatResponseMarkdownPart({ value: text })], {}),
    );
  const request = { prompt: said.at(-1), references: [], toolReferences: [], toolInvocationToken: undefined };
  const stream = { markdown: () => undefined, button: () => undefined, progress: () => undefined };
  await handler(request, { history }, stream, { onCancellationRequested: () => ({ dispose: () => undefined }) });
  return sent;
}

/** Uses the settings of a person who changed none. */
async function editorConversations({ summarizer, notices }: DoorSetting): Promise<EditorConversations> {
  const tools: WritingTools = { ...toolsWithoutModel, summarizer };
  return new EditorConversations({
    ...ownParts(await newFolder()),
    settings: readSettings,
    models: { toolsFor: async () => ({ kind: 'ready', tools, maxPromptTokens: null }) },
    warn: (message) => void notices.push(message),
  });
}

function logInto(notices: string[]): vscode.LogOutputChannel {
  const told = (message: string) => void notices.push(message);
  return {
    info: () => undefined,
    warn: told,
    error: told,
    show: () => undefined,
  } as unknown as vscode.LogOutputChannel;
}

const newFolder = () => mkdtemp(join(tmpdir(), 'strata-doors-'));

/** A provider that stores the newest request. */
async function startUpstream() {
  let newest: unknown = null;
  const answers = answersTurn();
  const server = await startModelServer((response, asked) => {
    newest = asked.body;
    return answers(response, asked);
  });
  onTestFinished(() => server.close());
  const arrived = () => (newest as { messages: { content: string }[] }).messages.map(({ content }) => content);
  return { baseUrl: server.baseUrl, address: server.baseUrl.replace(/\/v1$/, ''), arrived };
}

async function ask(baseUrl: string, said: Said, send: typeof fetch = fetch): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer none' };
  const body = JSON.stringify({ model, messages: messagesOf(said) });
  const response = await send(`${baseUrl}/chat/completions`, { method: 'POST', headers, body });
  await response.text();
}

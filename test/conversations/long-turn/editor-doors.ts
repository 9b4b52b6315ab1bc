import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestRecorder } from '../../../extension/conversations/requests/request-recorder';
import type { ChatServices } from '../../../extension/host/chat/chat-services';
import { OpenChats } from '../../../extension/host/chat/open-chats';
import { registerParticipant } from '../../../extension/host/chat/participant';
import { EditorConversations } from '../../../extension/host/conversations/editor-conversations';
import { readSettings } from '../../../extension/host/settings';
import { contextAsOpenAi } from '../../../extension/middleware/openai';
import type { ChatModel } from '../../../extension/models/chat-model';
import { readChat } from '../../agents/wire/chat';
import type { Utterance, WireRequest } from '../../agents/wire/utterance';
import { ownParts } from '../../builders/own-conversations';
import { assistant, Call, FakeChat, type Message, Result, Text, user } from '../../host/provider/fake-editor';
import { providerWith } from '../../host/provider/window';
import { constraint } from '../../middleware/frameworks/window-model';
import { definition } from './editor-api';
import { type LongTurnModel, partText, prompt, systemPrompt, toolName, window } from './model';

/** The entry points in the editor. The module `vscode` is a fake: see `editor-api.ts`. */

const definitions = JSON.stringify([definition]);

class TooLong extends Error {
  override name = 'TooLong';
}

async function editorConversations(): Promise<EditorConversations> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-long-turn-'));
  return new EditorConversations({ ...ownParts(folder), settings: readSettings });
}

type Handler = (...call: readonly unknown[]) => Promise<{ errorDetails?: { message: string } }>;

/** `@strata` with a pin. Its turn ends after a hundred calls, and then the person asks it to continue. */
export async function throughParticipant(model: LongTurnModel): Promise<void> {
  const conversations = await editorConversations();
  const kept = new Map<string, unknown>();
  const services = {
    conversations,
    chats: new OpenChats(conversations, {
      keys: () => [...kept.keys()],
      get: (name: string, standard?: unknown) => kept.get(name) ?? standard,
      update: async (name: string, value: unknown) => void kept.set(name, value),
    } as never),
    inspector: { inspection: null, open: async () => undefined, refresh: async () => undefined },
    chatModelOf: async () => chatModelOver(model),
    log: { error: () => undefined, warn: () => undefined },
    lastSession: { read: () => null },
  } as unknown as ChatServices;
  const { handler } = registerParticipant(services) as unknown as { handler: Handler };
  const { ChatRequestTurn, ChatResponseTurn } = (await import('vscode')) as unknown as Record<
    'ChatRequestTurn' | 'ChatResponseTurn',
    new (
      ...values: readonly unknown[]
    ) => unknown
  >;
  const history: unknown[] = [];
  const say = async (said: string, command?: string) => {
    const stream = { markdown: () => undefined, button: () => undefined, progress: () => undefined };
    const request = {
      ...{ prompt: said, command, references: [], toolReferences: [] },
      toolInvocationToken: { sessionId: 'chat' },
    };
    const token = { onCancellationRequested: () => ({ dispose: () => undefined }) };
    const result = await handler(request, { history: [...history] }, stream, token);
    if (result.errorDetails) throw new Error(result.errorDetails.message);
    history.push(new ChatRequestTurn(said, []), new ChatResponseTurn([], result));
  };
  await say(constraint, 'pin');
  await say(prompt);
  while (!model.hasAnswered) await say('Go on.');
}

function chatModelOver(model: LongTurnModel): ChatModel {
  return {
    model: 'scripted',
    name: 'Scripted',
    contextWindow: window,
    async *converse({ messages, tools }) {
      const request = readChat({ messages: contextAsOpenAi({ messages }), tools: toolsOnWire(tools) });
      const reply = model.take(request, JSON.stringify(tools));
      if (reply === null) throw new TooLong('The request is too long.');
      yield { type: 'text', text: reply.text };
      for (const { name, input } of reply.calls) yield { type: 'tool_call', callId: randomUUID(), name, input };
      yield { type: 'usage', usage: reply.usage };
    },
  };
}

function toolsOnWire(tools: readonly { name: string }[]) {
  return tools.map(({ name }) => ({ type: 'function', function: { name } }));
}

/**
 * A Strata model in another extension's chat. A person can pin once the conversation exists, which is after the first
 * request.
 */
export async function throughStrataModel(model: LongTurnModel): Promise<void> {
  const chat = new FakeChat(async function* (messages) {
    const reply = model.take(wireRequest(messages), definitions);
    if (reply === null) throw new TooLong('The request is too long.');
    yield new Text(reply.text);
    for (const { name, input } of reply.calls) yield new Call(randomUUID(), name, input);
  }, window);
  const conversations = await editorConversations();
  const ignored = () => undefined;
  const notices = { compacted: ignored, warn: ignored, notRecorded: ignored };
  const now = () => new Date().toISOString();
  const { send } = providerWith(
    chat,
    new RequestRecorder(conversations.store('model-provider'), notices, now, randomUUID, { goesBack: true }),
  );
  const messages: Message[] = [user(prompt)];
  for (;;) {
    const parts = await send([...messages], { options: { toolMode: 1, tools: [definition] } as never });
    if (messages.length === 1) await pinIn(conversations);
    messages.push(assistant(...parts));
    const calls = parts.filter((part) => part instanceof Call);
    if (calls.length === 0) return;
    messages.push(user(...calls.map(({ callId, input }) => new Result(callId, [new Text(outputOf(input))]))));
  }
}

function outputOf(input: object): string {
  return partText((input as { part: string }).part);
}

async function pinIn(conversations: EditorConversations): Promise<void> {
  const names = await readdir(conversations.folders.conversations);
  const id = names.find((name) => name.endsWith('.jsonl'))?.replace('.jsonl', '');
  if (id === undefined) throw new Error('There is no conversation');
  const { workbench } = await conversations.open(id);
  await workbench.coreEditor.pin('constraint', constraint, null);
}

function wireRequest(messages: readonly Message[]): WireRequest {
  const said = messages.flatMap(({ role, content }): Utterance[] =>
    (content as readonly unknown[]).flatMap((part): Utterance[] => {
      if (part instanceof Call) return [{ kind: 'call', callId: part.callId, name: part.name, input: part.input }];
      if (part instanceof Result) return [{ kind: 'result', callId: part.callId, text: textOf(part.content) }];
      const text = part instanceof Text ? part.value : '';
      return [{ kind: 'text', role: (role as number) === 2 ? 'assistant' : 'user', text }];
    }),
  );
  return { system: systemPrompt, said, tools: [toolName] };
}

function textOf(content: readonly unknown[]): string {
  return content.map((part) => (part instanceof Text ? part.value : '')).join('');
}

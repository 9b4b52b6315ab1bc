import { describe, expect, it } from 'vitest';
import { textOf, toolResults } from '../../../extension/engine/conversation/entry';
import { ChatTurn } from '../../../extension/host/chat/chat-turn';
import type { EditorConversation } from '../../../extension/host/conversations/editor-conversations';
import { contextAsOpenAi } from '../../../extension/middleware/openai';
import type { ChatModel, ChatOrder, ChatPiece } from '../../../extension/models/chat-model';
import { ownConversations } from '../../builders/own-conversations';
import { temporaryFolders } from '../../sessions/temporary';

/** Tests of a turn of the chat, which is written to disk while it happens. */

const temporaryFolder = temporaryFolders();

const text = (said: string): ChatPiece => ({ type: 'text', text: said });
const toolCall = (callId: string): ChatPiece => ({ type: 'tool_call', callId, name: 'read', input: { path: 'a.ts' } });
const usage: ChatPiece = { type: 'usage', usage: { input: 100, output: 10, cacheRead: 0, cacheWrite: 0 } };

type Script = (order: ChatOrder) => AsyncIterable<ChatPiece>;

/** Answers each request with the next script, and records what it received. */
function scripted(...scripts: readonly Script[]) {
  const asked: ChatOrder[] = [];
  const model: ChatModel = {
    model: 'scripted',
    name: 'Scripted',
    contextWindow: 10_000,
    converse: (order) => {
      asked.push(order);
      return (scripts[asked.length - 1] as Script)(order);
    },
  };
  return { model, asked };
}

function says(...pieces: readonly ChatPiece[]): Script {
  return async function* () {
    yield* pieces;
  };
}

async function begun(prompt: string, folder = temporaryFolder()) {
  const conversation = await ownConversations(folder).create('chat');
  await say(conversation, 'm1', null, prompt);
  return { conversation, folder };
}

function say(conversation: EditorConversation, id: string, parent: string | null, prompt: string) {
  const entry = { id, role: 'user', parts: [{ type: 'text', text: prompt }], timestamp: null } as const;
  return conversation.append([{ type: 'entry', parent, entry }]);
}

function turnOf(conversation: EditorConversation, model: ChatModel, signal = new AbortController().signal) {
  const shown: string[] = [];
  const turn = new ChatTurn(
    {
      conversation,
      model,
      tools: [],
      signal,
      stream: { markdown: (said) => void shown.push(String(said)), progress: () => undefined },
      runTool: async ({ callId, name }) => [
        { type: 'tool_result', callId, name, text: `contents for ${callId}`, isError: false },
      ],
      onElsewhere: () => shown.push('(elsewhere)'),
      onCut: () => undefined,
      makeFit: async () => undefined,
      onUnwritten: (error) => expect.unreachable(String(error)),
    },
    conversation.leaf,
  );
  return { turn, shown };
}

describe('a turn of the chat', () => {
  it('runs the tools that the model calls, and sends what they gave back', async () => {
    const { conversation } = await begun('what is in a.ts?');
    const { model, asked } = scripted(
      says(text('I look.'), toolCall('c1'), toolCall('c2')),
      says(text('It is '), text('empty.'), usage),
    );
    const { turn, shown } = turnOf(conversation, model);
    expect(await turn.take()).toBe('answered');
    expect(shown.join('')).toBe('I look.It is empty.');
    expect(contextAsOpenAi({ messages: asked[1]?.messages ?? [] }).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
    ]);
    const { agentContext } = conversation.conversation;
    expect(agentContext.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
    expect(agentContext.at(-1)).toMatchObject({ parts: [{ text: 'It is empty.' }], model: 'scripted' });
    expect(conversation.workbench.context.tokens).toMatchObject({ total: 110, source: 'reported' });
  });

  it('a turn of the chat is the same for every program that opens the file', async () => {
    const { conversation, folder } = await begun('hello');
    await turnOf(conversation, scripted(says(text('hi'))).model).turn.take();
    const again = await ownConversations(folder).open(conversation.id);
    expect(again.workbench.context).toEqual(conversation.workbench.context);
  });

  it('keeps the received part of an answer that broke off', async () => {
    const { conversation } = await begun('tell me a story');
    const breaks: Script = async function* () {
      yield text('Once upon');
      throw new Error('the line is dead');
    };
    const { turn } = turnOf(conversation, scripted(breaks).model);
    await expect(turn.take()).rejects.toThrow('the line is dead');
    const last = conversation.conversation.agentContext.at(-1);
    expect(textOf(last?.parts ?? [])).toBe('Once upon');
    expect(turn.leaf).toBe(last?.id);
  });

  it('shows a reply on disk while it streams', async () => {
    const { conversation, folder } = await begun('slowly');
    let beheld = '';
    const slow: Script = async function* () {
      yield text('first words');
      await new Promise((resolve) => setTimeout(resolve, 600));
      const other = await ownConversations(folder).open(conversation.id);
      beheld = textOf(other.conversation.agentContext.at(-1)?.parts ?? []);
      yield text(', last words');
    };
    await turnOf(conversation, scripted(slow).model).turn.take();
    expect(beheld).toBe('first words');
    const texts = conversation.conversation.entries.map(({ parts }) => textOf(parts));
    expect(texts).toEqual(['slowly', 'first words, last words']);
  });

  it('runs no more tools once it is cancelled, and the next request is whole all the same', async () => {
    const { conversation } = await begun('go');
    const cancellation = new AbortController();
    const calls: Script = async function* () {
      yield toolCall('c1');
      cancellation.abort(new Error('cancelled'));
    };
    const { turn } = turnOf(conversation, scripted(calls).model, cancellation.signal);
    await expect(turn.take()).rejects.toThrow('cancelled');
    await say(conversation, 'm2', turn.leaf, 'again');
    const { messages } = conversation.workbench.context;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user']);
    expect(toolResults(messages[2]?.parts ?? [])[0]).toMatchObject({ callId: 'c1', isError: true });
  });

  it('stays on its own branch when another window continues the same conversation', async () => {
    const { conversation, folder } = await begun('mine');
    const other = await ownConversations(folder).open(conversation.id);
    const intrudes: Script = async function* () {
      yield toolCall('c1');
      await say(other, 'theirs', 'm1', 'theirs');
    };
    const { model, asked } = scripted(intrudes, says(text('done')));
    const { turn, shown } = turnOf(conversation, model);
    await turn.take();
    expect(shown).toContain('(elsewhere)');
    const sent = JSON.stringify(asked[1]?.messages.map(({ parts }) => parts));
    expect(sent).toContain('mine');
    expect(sent).not.toContain('theirs');
    const { entries } = conversation.conversation;
    expect(entries.map(({ parts }) => textOf(parts))).toContain('theirs');
  });
});

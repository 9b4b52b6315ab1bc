import { describe, expect, it, vi } from 'vitest';
import { textOf } from '../../../extension/engine/conversation/entry';
import { tokensText } from '../../../extension/engine/wording/tokens-text';
import type { ChatServices } from '../../../extension/host/chat/chat-services';
import type { RememberedSession } from '../../../extension/host/opening/last-session';
import type { Inspection } from '../../../extension/inspection/inspection';
import type { ChatModel } from '../../../extension/models/chat-model';
import { inspectSample, prepareSample } from '../../builders/inspection';
import { ownConversations } from '../../builders/own-conversations';
import { temporaryFolders } from '../../sessions/temporary';

/** Tests of `@strata` as VS Code calls it, with a fake editor and real files. */

vi.mock('vscode', async () => {
  const { chatApi } = await import('./chat-api');
  const getConfiguration = () => ({ get: (_name: string, standard: unknown) => standard });
  return { ...chatApi(), workspace: { workspaceFolders: [], getConfiguration } };
});

const temporaryFolder = temporaryFolders();

/** Answers, and records what it received without the instructions. */
function parrot(sent: string[][]): ChatModel {
  return {
    model: 'parrot',
    name: 'Parrot',
    contextWindow: 10_000,
    async *converse({ messages }) {
      sent.push(messages.slice(1).map(({ parts }) => textOf(parts)));
      yield { type: 'text', text: `answer ${sent.length}` };
    },
  };
}

type Handler = (...call: readonly unknown[]) => Promise<unknown>;

/** A chat of VS Code with `@strata`. Its messages are added to its history, as VS Code does. */
async function openChat(
  modelOf: () => Promise<ChatModel | null>,
  inspection: Inspection | null = null,
  last: RememberedSession | null = null,
) {
  const vscode = await import('vscode');
  const { OpenChats } = await import('../../../extension/host/chat/open-chats');
  const { registerParticipant } = await import('../../../extension/host/chat/participant');
  const conversations = ownConversations(temporaryFolder());
  const opened: string[] = [];
  const services = {
    conversations,
    lastSession: { read: () => last },
    chats: new OpenChats(conversations, memento()),
    inspector: {
      inspection,
      opening: null,
      open: async (file: string) => void opened.push(file),
      refresh: async () => undefined,
    },
    chatModelOf: modelOf,
    log: { error: () => undefined, warn: () => undefined },
  } as unknown as ChatServices;
  const { handler } = registerParticipant(services) as unknown as { handler: Handler };
  const { ChatRequestTurn, ChatResponseTurn, ChatResponseMarkdownPart } = vscode as unknown as Record<
    'ChatRequestTurn' | 'ChatResponseTurn' | 'ChatResponseMarkdownPart',
    new (
      ...values: readonly unknown[]
    ) => unknown
  >;
  const history: unknown[] = [];
  const buttons: string[] = [];
  const say = (prompt: string, ...references: readonly unknown[]) => send({ prompt, references });
  const command = (name: string) => send({ prompt: '', references: [], command: name });
  const send = async (said: { prompt: string; references: readonly unknown[]; command?: string }): Promise<string> => {
    const { prompt, references } = said;
    const shown: string[] = [];
    const stream = {
      markdown: (said: string) => void shown.push(said),
      button: (button: { command: string }) => void buttons.push(button.command),
      progress: () => undefined,
    };
    const request = { ...said, toolReferences: [], toolInvocationToken: { sessionId: 'chat' } };
    const token = { onCancellationRequested: () => ({ dispose: () => undefined }) };
    const result = await handler(request, { history: [...history] }, stream, token);
    const answer = shown.map((said) => new ChatResponseMarkdownPart(said));
    history.push(new ChatRequestTurn(prompt, references), new ChatResponseTurn(answer, result));
    return shown.join('');
  };
  return { say, command, buttons, history, opened };
}

function memento() {
  const kept = new Map<string, unknown>();
  return {
    keys: () => [...kept.keys()],
    get: (name: string, standard?: unknown) => kept.get(name) ?? standard,
    update: async (name: string, value: unknown) => void kept.set(name, value),
  } as never;
}

describe('a chat with @strata', () => {
  it('sends what was said before, once', async () => {
    const sent: string[][] = [];
    const model = parrot(sent);
    const { say } = await openChat(async () => model);
    await say('one');
    await say('two');
    expect(sent).toEqual([['one'], ['one', 'answer 1', 'two']]);
  });

  it('sends the messages that were written while there was no model', async () => {
    const sent: string[][] = [];
    let model: ChatModel | null = null;
    const { say } = await openChat(async () => model);
    expect(await say('here is what I want')).toMatch(/no language model/);
    model = parrot(sent);
    await say('go on');
    expect(sent).toEqual([['here is what I want', 'go on']]);
  });

  it('takes over what VS Code alone has, attachments included, and says so', async () => {
    const sent: string[][] = [];
    let mayAsk = false;
    const { say } = await openChat(async () => {
      if (!mayAsk) throw new Error('You have not agreed.');
      return parrot(sent);
    });
    await say('fix this', { id: 'log', value: 'it fails on line 3' });
    mayAsk = true;
    const shown = await say('now');
    expect(sent[0]?.[0]).toBe('fix this');
    expect(sent[0]?.[1]).toContain('it fails on line 3');
    expect(sent[0]?.at(-1)).toBe('now');
    expect(shown).toMatch(/taken over as VS Code shows them/);
  });

  it('continues after the last message of the history when a person went back', async () => {
    const sent: string[][] = [];
    const model = parrot(sent);
    const { say, history } = await openChat(async () => model);
    await say('one');
    await say('two');
    history.splice(2);
    await say('two, in other words');
    expect(sent[2]).toEqual(['one', 'answer 1', 'two, in other words']);
  });

  it('stays in its conversation if its first message is edited', async () => {
    const sent: string[][] = [];
    const model = parrot(sent);
    const { say, history } = await openChat(async () => model);
    await say('on');
    history.splice(0);
    await say('one');
    expect(sent[1]).toEqual(['one']);
  });
});

describe('@strata /context', () => {
  it('shows the session that is open in the inspector: which it is, how full, and its blocks', async () => {
    const { inspection } = await inspectSample(temporaryFolder());
    const { command, buttons } = await openChat(async () => null, inspection);
    const { total } = inspection.context.tokens;
    const shown = await command('context');
    expect(shown).toContain('The session that is open in the inspector, not this chat: **pi** · ');
    expect(shown).toContain(`${tokensText(total)} / 200k (${Math.round(total / 2000)} %, `);
    expect(shown).toMatch(/Blocks in place of older messages, oldest first:\n\n- pi: [\d.]+k?/);
    expect(buttons).toEqual(['strata.showInspector']);
  });

  it('says what the agent has now and what it would have, if the two differ', async () => {
    const { inspection } = await inspectSample(temporaryFolder());
    const before = inspection.context.tokens.total;
    await inspection.apply(await prepareSample(inspection, 'checkpoint'));
    const { command } = await openChat(async () => null, inspection);
    const shown = await command('context');
    expect(shown).toMatch(new RegExp(`pi has now: .*${tokensText(before)} / 200k`));
    expect(shown).toMatch(
      new RegExp(
        `After the compactions shown in the inspector: .*${tokensText(inspection.context.tokens.total)} / 200k`,
      ),
    );
  });

  it('leaves the session to the panel that a reload of the window will show again', async () => {
    const { say, opened } = await openChat(async () => parrot([]), null, {
      file: 'session.jsonl',
      agent: 'claude-code',
    });
    await say('Hello?');
    expect(opened).toEqual([]);
  });

  it('shows this chat if no session is open', async () => {
    const { command, buttons } = await openChat(async () => null);
    expect(await command('context')).not.toContain('not this chat');
    expect(buttons).toEqual(['strata.chat.show']);
  });
});

import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { endpointTarget } from '../../../extension/host/provider/endpoint-target';
import { lmTarget } from '../../../extension/host/provider/lm-target';
import { ModelList } from '../../../extension/host/provider/model-list';
import { type Available, offersOf } from '../../../extension/host/provider/offers';
import type { ChatOrder, ChatPiece } from '../../../extension/models/chat-model';
import { temporaryFolders } from '../../sessions/temporary';
import { Call, Cancellation, Result, silent, system, Text, Thinking, user } from './fake-editor';
import { openWindow } from './window';

vi.mock('vscode', async () => (await import('./fake-editor')).editorApi);

const newRoot = temporaryFolders();

const none: Available = { endpoint: null, chats: [], wrapsModels: true, setUpName: 'Set up a model…' };
const endpoint = { model: 'qwen', contextWindow: 40_000 };

function chat(changes: Partial<vscode.LanguageModelChat> & { capabilities?: object } = {}): vscode.LanguageModelChat {
  const small = { id: 'small', name: 'Small', vendor: 'other', family: 'tiny', version: '2', maxInputTokens: 8000 };
  return { ...small, ...changes } as vscode.LanguageModelChat;
}

function namesOf(available: Partial<Available>): string[] {
  return offersOf({ ...none, ...available }).map(({ information }) => information.name);
}

describe('what Strata offers in the model picker', () => {
  it('what Strata offers in the model picker is the endpoint of the settings and every model of another extension', () => {
    const chats = [chat(), chat({ vendor: 'strata', name: 'Strata: Small' }), chat({ vendor: 'third' })];
    expect(namesOf({ endpoint, chats })).toEqual(['Strata: qwen', 'Strata: Small', 'Strata: Small']);
    expect(namesOf({ endpoint, chats, wrapsModels: false })).toEqual(['Strata: qwen']);
  });

  it('the model picker offers a way to get a model if there is none, once that is known', () => {
    expect(namesOf({})).toEqual(['Set up a model…']);
    expect(namesOf({ chats: [chat({ vendor: 'strata' })] })).toEqual(['Set up a model…']);
    expect(namesOf({ chats: null })).toEqual([]);
    expect(namesOf({ chats: [chat()], wrapsModels: false })).toEqual([]);
  });

  it('has the limits and capabilities of the model that answers for it', () => {
    const capabilities = { supportsToolCalling: false, supportsImageToText: true };
    const [offer] = offersOf({ ...none, chats: [chat({ capabilities })] });
    expect(offer?.information).toMatchObject({
      id: 'other/small',
      family: 'tiny',
      version: '2',
      maxInputTokens: 8000,
      capabilities: { toolCalling: false, imageInput: true },
    });
    const [own] = offersOf({ ...none, endpoint });
    expect(own?.information).toMatchObject({ maxInputTokens: 30_000, maxOutputTokens: 10_000 });
  });

  it('holds each id once', () => {
    expect(namesOf({ chats: [chat(), chat({ name: 'Again' })] })).toEqual(['Strata: Small']);
  });
});

describe('the list of models', () => {
  it('the list of models reports only changes, and asks again if it was asked meanwhile', async () => {
    let chats = [chat()];
    let asked = 0;
    let changes = 0;
    const list = new ModelList({
      chats: async () => {
        asked += 1;
        return chats;
      },
      settings: () => none,
      changed: () => {
        changes += 1;
        // VS Code asks for all models again after each change of the list.
        void list.refresh();
      },
      failed: () => undefined,
    });
    expect(list.offers).toEqual([]);
    await list.refresh();
    expect([asked, changes]).toEqual([2, 1]);
    chats = [chat({ name: 'Large' })];
    await Promise.all([list.refresh(), list.refresh(), list.refresh()]);
    expect(list.find('other/small')?.information.name).toBe('Strata: Large');
    expect(changes).toBe(2);
  });

  it('stays as it was if VS Code does not answer', async () => {
    const failures: unknown[] = [];
    let fails = false;
    const list = new ModelList({
      chats: async () => {
        if (fails) throw new Error('Not now');
        return [chat()];
      },
      settings: () => none,
      changed: () => undefined,
      failed: (error) => failures.push(error),
    });
    await list.refresh();
    fails = true;
    await list.refresh();
    expect(list.offers).toHaveLength(1);
    expect(failures).toEqual([new Error('Not now')]);
  });
});

/** An endpoint that answers with these pieces. */
function scripted(...pieces: ChatPiece[]) {
  const orders: ChatOrder[] = [];
  const asked: string[] = [];
  const target = endpointTarget({
    model: 'qwen',
    contextWindow: 30_000,
    admit: async () => {
      asked.push('admit');
    },
    open: async () => ({
      model: 'qwen',
      name: 'qwen',
      contextWindow: 30_000,
      async *converse(order) {
        orders.push(order);
        yield* pieces;
      },
    }),
  });
  return { target, orders, asked };
}

describe('an endpoint that answers for a model of Strata', () => {
  it('an endpoint is sent the context and the tools, and its pieces become parts', async () => {
    const usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0 };
    const { target, orders, asked } = scripted(
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I read.' },
      { type: 'tool_call', callId: 'a', name: 'read', input: { path: 'a.ts' } },
      { type: 'tool_call', callId: 'b', name: 'read', input: '{"path": "a.ts' },
      { type: 'usage', usage },
    );
    const window = openWindow(newRoot(), silent(), { target });
    const tools = [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }];
    const parts = await window.send([system('Be brief.'), user('Fix it.')], {
      options: { toolMode: 2, tools },
    });
    expect(parts).toEqual([
      new Thinking('Hm.'),
      new Text('I read.'),
      new Call('a', 'read', { path: 'a.ts' }),
      new Call('b', 'read', { input: '{"path": "a.ts' }),
    ]);
    expect(asked).toEqual(['admit']);
    expect(orders[0]).toMatchObject({ tools, toolMode: 'required' });
    expect(orders[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    const results = user(new Result('a', [new Text('one')]), new Result('b', [new Text('no JSON')]));
    const answer = { role: 2, content: parts, name: undefined } as const;
    await window.send([user('Fix it.'), answer, results], { options: { toolMode: 1, tools } });
    expect(orders[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(orders[1]?.toolMode).toBe('auto');
  });

  it('gets nothing if the person does not want it', async () => {
    const { target, orders } = scripted();
    const refusing = { ...target, admit: () => Promise.reject(new Error('You have not agreed')) };
    const window = openWindow(newRoot(), silent(), { target: refusing });
    await expect(window.send([user('hi')])).rejects.toThrow('You have not agreed');
    expect(orders).toEqual([]);
  });

  it('the tokens of an endpoint are counted with the tokenizer, a message’s own tokens included', async () => {
    const { target } = scripted();
    const { token } = new Cancellation();
    expect(await target.countTokens('Fix the loader.', token)).toBe(countWithO200k('Fix the loader.'));
    const counted = await target.countTokens(user('Fix the loader.'), token);
    expect(counted).toBe(countWithO200k('Fix the loader.') + 4);
  });
});

describe('a model of another extension that answers for a model of Strata', () => {
  it('counts its own tokens', async () => {
    const small = silent();
    const target = lmTarget(small.chat);
    const message = user('Fix it.');
    expect(await target.countTokens(message, new Cancellation().token)).toBe(JSON.stringify(message).length);
  });
});

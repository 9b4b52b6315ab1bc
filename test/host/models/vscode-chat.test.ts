import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { ModelFailed } from '../../../extension/engine/block/language-model';
import { vscodeChat } from '../../../extension/host/models/vscode-chat';
import { contextAsVscode } from '../../../extension/host/models/vscode-messages';
import type { ChatOrder, ChatPiece } from '../../../extension/models/chat-model';
import { calls, result, talk, user } from '../../builders/conversation';
import { contextOf } from '../../builders/run';
import { CallPart, Cancellation, setChatApi, TextPart, ThinkingPart } from './chat-api';

vi.mock('vscode', async () => (await import('./chat-api')).editorApi);

interface Sent {
  readonly messages: unknown;
  readonly options: vscode.LanguageModelChatRequestOptions;
}

/** A fake VS Code model that records requests and answers with these parts. */
function editor(answer: () => AsyncIterable<unknown>, changes: Partial<vscode.LanguageModelChat> = {}) {
  const sent: Sent[] = [];
  const cancellations: Cancellation[] = [];
  setChatApi({
    CancellationTokenSource: class extends Cancellation {
      constructor() {
        super();
        cancellations.push(this);
      }
    },
  });
  const chat = {
    id: 'copilot/small',
    name: 'Small',
    vendor: 'copilot',
    maxInputTokens: 8000,
    sendRequest: async (messages: unknown, options: Sent['options']) => {
      sent.push({ messages, options });
      return { stream: answer() };
    },
    ...changes,
  } as unknown as vscode.LanguageModelChat;
  return { sent, cancellations, chat };
}

const tool = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } };

function order(changes: Partial<ChatOrder> = {}): ChatOrder {
  const { messages } = contextOf(talk(user('look'), calls('old'), result('old'), user('again')));
  return { messages, tools: [tool], toolMode: 'auto', signal: new AbortController().signal, ...changes };
}

async function hear(
  { chat }: { chat: vscode.LanguageModelChat },
  changes: Partial<ChatOrder> = {},
  timeoutMs = 20_000,
): Promise<{ pieces: ChatPiece[]; failure: unknown }> {
  const pieces: ChatPiece[] = [];
  try {
    for await (const piece of vscodeChat(chat, timeoutMs).converse(order(changes))) pieces.push(piece);
  } catch (failure) {
    return { pieces, failure };
  }
  return { pieces, failure: null };
}

async function* parts(...given: unknown[]): AsyncGenerator<unknown> {
  yield* given;
}

const never = () => new Promise<never>(() => undefined);

describe('a chat with a language model of VS Code', () => {
  it('receives the context and the tools', async () => {
    const set = editor(() => parts(new TextPart('Ok.')));
    await hear(set);
    await hear(set, { toolMode: 'required' });
    await hear(set, { tools: [], toolMode: 'required' });
    const justification = expect.any(String);
    expect(set.sent[0]?.messages).toEqual(contextAsVscode(order().messages));
    expect(set.sent.map(({ options }) => options)).toEqual([
      { justification, tools: [tool], toolMode: 1 },
      { justification, tools: [tool], toolMode: 2 },
      { justification },
    ]);
    const { model, name, contextWindow } = vscodeChat(set.chat);
    expect([model, name, contextWindow]).toEqual(['copilot/small', 'Small', 8000]);
  });

  it('streams text and reasoning, gives its calls at the end, and ignores unknown parts', async () => {
    const set = editor(() =>
      parts(
        new ThinkingPart('Hm. '),
        new ThinkingPart(['Well', '.']),
        new ThinkingPart(''),
        { mimeType: 'cache_control', data: new Uint8Array() },
        new TextPart('I look.'),
        new CallPart('x', 'read', { path: 'a' }),
        new TextPart(' Now.'),
        null,
      ),
    );
    expect((await hear(set)).pieces).toEqual([
      { type: 'reasoning', text: 'Hm. ' },
      { type: 'reasoning', text: 'Well.' },
      { type: 'text', text: 'I look.' },
      { type: 'text', text: ' Now.' },
      { type: 'tool_call', callId: 'x', name: 'read', input: { path: 'a' } },
    ]);
  });

  it('ignores reasoning if VS Code has no class for it', async () => {
    const set = editor(() => parts(new ThinkingPart('Hm.'), new TextPart('Ok.')));
    setChatApi({ LanguageModelThinkingPart: undefined });
    expect((await hear(set)).pieces).toEqual([{ type: 'text', text: 'Ok.' }]);
  });

  it('gives calls unique ids if the model does not', async () => {
    const { pieces } = await hear(
      editor(() => parts(...['old', 'x', 'x', ''].map((id) => new CallPart(id, 'read', {})))),
    );
    const ids = pieces.map((piece) => (piece.type === 'tool_call' ? piece.callId : ''));
    expect(new Set(['old', '', ...ids]).size).toBe(6);
    expect(ids).toContain('x');
  });

  it.each([
    ['NoPermissions', 'refused'],
    ['Blocked', 'rate-limited'],
    ['NotFound', 'misconfigured'],
    ['Unknown', 'unavailable'],
  ])('maps the error %s to %s', async (code, kind) => {
    const error = Object.assign(new Error('Something.'), { code, cause: new Error('The real reason.') });
    const { failure } = await hear(editor(() => parts(), { sendRequest: () => Promise.reject(error) }));
    expect(failure).toMatchObject({
      name: 'ModelFailed',
      kind,
      message: `VS Code’s model Small (copilot) failed (${code}): The real reason.`,
    });
  });

  it('keeps the text of a broken answer and returns none of its calls', async () => {
    async function* broken(): AsyncGenerator<unknown> {
      yield new TextPart('Half');
      yield new CallPart('x', 'read', {});
      throw new Error('The network is gone.');
    }
    const { pieces, failure } = await hear(editor(broken));
    expect(pieces).toEqual([{ type: 'text', text: 'Half' }]);
    expect(failure).toEqual(
      new ModelFailed('unavailable', 'VS Code’s model Small (copilot) failed: The network is gone.'),
    );
  });

  it('cuts off an answer that does not end', async () => {
    async function* endless(): AsyncGenerator<unknown> {
      for (;;) yield new TextPart('and on '.repeat(20_000));
    }
    const set = editor(endless);
    expect((await hear(set)).failure).toEqual(
      new ModelFailed(
        'broken-answer',
        'VS Code’s model Small (copilot) was stopped: its answer grew beyond 4 MB of text.',
      ),
    );
    expect(set.cancellations.map(({ isCancelled }) => isCancelled)).toEqual([true]);
  });

  it.each([
    ['never answers', { sendRequest: never }, [], 'took longer than 0.05 s.'],
    ['stalls', {}, ['Half'], 'sent nothing for 0.05 s in the middle of its answer.'],
  ])('times out for a model that %s', async (_, changes, said, why) => {
    async function* stalling(): AsyncGenerator<unknown> {
      yield new TextPart('Half');
      await never();
    }
    const { pieces, failure } = await hear(editor(stalling, changes), {}, 50);
    expect(pieces).toEqual(said.map((text) => ({ type: 'text', text })));
    expect(failure).toEqual(new ModelFailed('timeout', `VS Code’s model Small (copilot) ${why}`));
  });

  it('a chat with a language model of VS Code has no limit on the total time, and may be read slowly', async () => {
    async function* slow(): AsyncGenerator<unknown> {
      for (const piece of ['One', ' two', ' three']) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        yield new TextPart(piece);
      }
    }
    const { chat } = editor(slow);
    let text = '';
    for await (const piece of vscodeChat(chat, 200).converse(order())) {
      if (piece.type === 'text') text += piece.text;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    expect(text).toBe('One two three');
  });

  it.each([0, 30])('does not wait for a model that ignores cancellation (after %i ms)', async (after) => {
    const controller = new AbortController();
    const reason = new Error('Cancelled.');
    if (after === 0) controller.abort(reason);
    else setTimeout(() => controller.abort(reason), after);
    async function* stalling(): AsyncGenerator<unknown> {
      yield new TextPart('Half');
      await never();
    }
    const set = editor(stalling);
    expect((await hear(set, { signal: controller.signal })).failure).toBe(reason);
    expect(set.sent.length).toBe(after === 0 ? 0 : 1);
    expect(set.cancellations.map(({ isCancelled }) => isCancelled)).toEqual([true]);
  });

  it('a chat with a language model of VS Code is cancelled when the caller stops reading', async () => {
    async function* endless(): AsyncGenerator<unknown> {
      for (;;) yield new TextPart('and on ');
    }
    const { chat, cancellations } = editor(endless);
    for await (const piece of vscodeChat(chat).converse(order())) {
      expect(piece).toEqual({ type: 'text', text: 'and on ' });
      break;
    }
    expect(cancellations.map(({ isCancelled }) => isCancelled)).toEqual([true]);
  });
});

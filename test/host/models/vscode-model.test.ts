import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { CompletionOptions } from '../../../extension/engine/block/language-model';
import { vscodeModel } from '../../../extension/host/models/vscode-model';
import { Cancellation, setChatApi } from './chat-api';

vi.mock('vscode', async () => (await import('./chat-api')).editorApi);

const prompt = { system: 'You summarise.', user: 'Summarise this.' };

/** A fake VS Code model that records requests and answers with these pieces. */
function editor(answer: () => AsyncIterable<string>, changes: Partial<vscode.LanguageModelChat> = {}) {
  const sent: string[] = [];
  const cancellations: Cancellation[] = [];
  setChatApi({
    LanguageModelChatMessage: { User: (content: string) => ({ content }) },
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
    sendRequest: async ([message]: { content: string }[]) => {
      sent.push(message?.content ?? '');
      return { text: answer() };
    },
    countTokens: async (text: string) => text.split(/\s+/).length,
    ...changes,
  } as unknown as vscode.LanguageModelChat;
  return {
    sent,
    cancellations,
    model: vscodeModel(chat, { timeoutMs: 20_000, idleTimeoutMs: 20_000 }),
    chat,
  };
}

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

function wanted(changes: Partial<CompletionOptions> = {}): CompletionOptions {
  return { maxTokens: 100, signal: new AbortController().signal, ...changes };
}

const never = () => new Promise<never>(() => undefined);

describe('a language model of VS Code', () => {
  it('receives one message with the system text first, and counts its own tokens', async () => {
    const { model, sent } = editor(() => pieces('Three ', 'words ', 'long'));
    const seen: string[] = [];
    const completion = await model.complete(prompt, wanted({ onText: (text) => seen.push(text) }));
    expect(sent).toEqual(['You summarise.\n\nSummarise this.']);
    expect(completion).toEqual({ text: 'Three words long', isCut: false, tokens: { input: 4, output: 3 } });
    expect(seen).toEqual(['Three ', 'Three words ', 'Three words long']);
    expect([model.name, model.model, model.concurrency]).toEqual(['vscode', 'copilot/small', 1]);
  });

  it('a language model of VS Code is cut off and cancelled when it does not stop', async () => {
    async function* endless(): AsyncGenerator<string> {
      for (;;) yield 'and then I went on ';
    }
    const { model, cancellations } = editor(endless);
    const { isCut, text } = await model.complete(prompt, wanted());
    expect(isCut).toBe(true);
    expect(text.length).toBeLessThan(800);
    expect(cancellations.map(({ isCancelled }) => isCancelled)).toEqual([true]);
  });

  it('a language model of VS Code has its tokens estimated if it cannot count', async () => {
    const { model } = editor(() => pieces('12345678'), { countTokens: async () => Promise.reject(new Error('no')) });
    expect((await model.complete(prompt, wanted())).tokens.output).toBe(2);
  });

  it.each([
    ['NoPermissions', 'refused'],
    ['Blocked', 'rate-limited'],
    ['NotFound', 'misconfigured'],
    ['Unknown', 'unavailable'],
  ])('maps the error %s to %s', async (code, kind) => {
    const error = Object.assign(new Error('Something.'), { code, cause: new Error('The real reason.') });
    const { model } = editor(() => pieces(), { sendRequest: () => Promise.reject(error) });
    await expect(model.complete(prompt, wanted())).rejects.toMatchObject({
      name: 'ModelFailed',
      kind,
      message: `VS Code’s model Small (copilot) failed (${code}): The real reason.`,
    });
  });

  it('a language model of VS Code is unavailable if its answer breaks off', async () => {
    async function* broken(): AsyncGenerator<string> {
      yield 'Half';
      throw new Error('The network is gone.');
    }
    await expect(editor(broken).model.complete(prompt, wanted())).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('a language model of VS Code is not waited for if it ignores cancellation', async () => {
    const { model, cancellations } = editor(() => pieces(), { sendRequest: never });
    const controller = new AbortController();
    const reason = new Error('Cancelled.');
    const completion = model.complete(prompt, wanted({ signal: controller.signal }));
    controller.abort(reason);
    await expect(completion).rejects.toBe(reason);
    expect(cancellations.map(({ isCancelled }) => isCancelled)).toEqual([true]);
  });

  it.each([
    ['never answers', { timeoutMs: 50, idleTimeoutMs: 20_000 }, 'took longer than 0.05 s.'],
    ['stalls', { timeoutMs: 20_000, idleTimeoutMs: 50 }, 'sent nothing for 0.05 s in the middle of its answer.'],
  ])('times out if it %s', async (_, limits, said) => {
    async function* stalling(): AsyncGenerator<string> {
      yield 'Half';
      await never();
    }
    const { chat } = editor(stalling, limits.timeoutMs === 50 ? { sendRequest: never } : {});
    await expect(vscodeModel(chat, limits).complete(prompt, wanted())).rejects.toMatchObject({
      kind: 'timeout',
      message: `VS Code’s model Small (copilot) ${said}`,
    });
  });
});

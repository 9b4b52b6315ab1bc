import { describe, expect, it, vi } from 'vitest';
import type * as vscode from 'vscode';
import { editorTool } from '../../../extension/host/tools/invocation';
import { inspect } from '../../inspection/lookup/opened';
import { Surroundings, summaryOf } from './surroundings';

const { TextPart, ToolResult } = vi.hoisted(() => ({
  TextPart: class {
    constructor(readonly value: string) {}
  },
  ToolResult: class {
    constructor(readonly content: readonly unknown[]) {}
  },
}));

vi.mock('vscode', () => ({
  LanguageModelTextPart: TextPart,
  LanguageModelToolResult: ToolResult,
  l10n: {
    t: (message: string, ...values: unknown[]) =>
      message.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)])),
  },
}));

class Cancelling {
  isCancellationRequested = false;
  readonly #listeners = new Set<() => void>();
  get listening(): number {
    return this.#listeners.size;
  }
  readonly onCancellationRequested = (listener: () => void) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  cancel(): void {
    this.isCancellationRequested = true;
    for (const listener of this.#listeners) listener();
  }
}

type Options = vscode.LanguageModelToolInvocationOptions<unknown>;

async function invoke(
  key: Parameters<typeof editorTool>[0],
  around: Surroundings,
  options: Partial<Options> & { model?: unknown },
  cancelling = new Cancelling(),
): Promise<string> {
  const asked = { input: {}, toolInvocationToken: undefined, ...options } as Options;
  const result = await editorTool(key, around).invoke(asked, cancelling as unknown as vscode.CancellationToken);
  expect(cancelling.listening).toBe(0);
  const parts = result?.content ?? [];
  return parts.map((part) => (part instanceof TextPart ? part.value : '')).join('');
}

async function inspecting(): Promise<Surroundings & { inspection: Awaited<ReturnType<typeof inspect>> }> {
  return Object.assign(new Surroundings(), { inspection: await inspect('claude') });
}

async function prepare(key: Parameters<typeof editorTool>[0], around: Surroundings, input: unknown) {
  return await editorTool(key, around).prepareInvocation?.({ input }, {} as vscode.CancellationToken);
}

describe('a tool in the editor', () => {
  it('answers with one text', async () => {
    const around = await inspecting();
    expect(await invoke('core', around, {})).toContain('The protected core takes 0 tokens');
  });

  it('fits the caller’s budget by the caller’s own count', async () => {
    const around = await inspecting();
    const countTokens = async (text: string) => text.length;
    const tokenizationOptions = { tokenBudget: 300, countTokens };
    const answer = await invoke('recall', around, { input: { query: 'sessions' }, tokenizationOptions });
    expect(answer.length).toBeLessThanOrEqual(300);
    expect(answer).toMatch(/^About the session open.*… \[cut\]$/s);
  });

  it('throws an error about invalid input, for the model', async () => {
    const around = await inspecting();
    await expect(invoke('compact', around, { input: {} })).rejects.toThrow('strata_compact: "reason" must be a text');
  });

  it('stops when it is cancelled, before or during the call', async () => {
    const around = await inspecting();
    const before = new Cancelling();
    before.cancel();
    await expect(invoke('core', around, {}, before)).rejects.toThrow('The call was cancelled.');
    const meanwhile = new Cancelling();
    around.embedder.embed = async (texts) => {
      meanwhile.cancel();
      return texts.map(() => [1]);
    };
    await expect(invoke('recall', around, { input: { query: 'sessions' } }, meanwhile)).rejects.toThrow('cancelled');
  });

  it('proposes in the name of the calling model, if the editor tells it', async () => {
    const around = await inspecting();
    await invoke('propose', around, { input: { kind: 'goal', text: 'Ship it.' }, model: { id: 'gpt-5' } });
    expect(around.proposals[0]?.proposedBy).toBe('gpt-5');
  });
});

describe('the preparation of a tool call', () => {
  it('describes the call', async () => {
    const around = await inspecting();
    expect(await prepare('recall', around, { query: 'the loader' })).toEqual({
      invocationMessage: 'Searching earlier parts of the conversation: the loader',
    });
    expect(await prepare('propose', around, { kind: 'goal', text: 'Ship it.' })).toEqual({
      invocationMessage: 'Proposing for the protected core: goal “Ship it.”',
    });
  });

  it('asks the person before any tool uses a session of another folder', async () => {
    const around = await inspecting();
    const other = await inspect('pi');
    around.listed = [[summaryOf(other, { title: 'Secret plans' }), other]];
    const inputs = {
      core: {},
      session: { question: 'plans' },
      propose: { kind: 'goal', text: 'Ship it.' },
      recall: { query: 'plans' },
      compact: { reason: 'Done.' },
    } as const;
    for (const [key, input] of Object.entries(inputs) as [keyof typeof inputs, object][]) {
      const asked = { ...input, session: 'secret' };
      const prepared = await prepare(key, around, asked);
      expect(prepared?.confirmationMessages?.message).toBe(
        'The agent wants to use “Secret plans” (/Users/dev/workspaces/pi-mono).',
      );
      around.folders = ['/Users/dev/workspaces/pi-mono'];
      expect((await prepare(key, around, asked))?.confirmationMessages).toBeUndefined();
      around.folders = [];
    }
  });

  it('does not ask about the session open in the inspector', async () => {
    const around = await inspecting();
    const prepared = await prepare('session', around, { session: around.inspection.session.id, question: 'sessions' });
    expect(prepared?.confirmationMessages).toBeUndefined();
  });

  it('leaves invalid input to the call itself', async () => {
    expect(await prepare('recall', await inspecting(), { query: 7 })).toEqual({});
  });
});

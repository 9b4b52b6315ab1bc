import { describe, expect, it, vi } from 'vitest';
import { expectedWriting } from '../../../extension/engine/run/prepare/run-sizes';
import { chatCommandIds } from '../../../extension/host/command-ids';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { inspectSample, prepareSample } from '../../builders/inspection';

vi.mock('vscode', async () => {
  const getConfiguration = () => ({ get: (_name: string, standard: unknown) => standard, inspect: () => undefined });
  const { lm, ...api } = (await import('./chat-api')).chatApi();
  const workspace = { workspaceFolders: [], getConfiguration };
  return { ...api, lm: { ...lm, selectChatModels: async () => [] }, workspace };
});

interface Shown {
  readonly command: string;
  readonly title: string;
  readonly arguments?: readonly unknown[];
}

describe('the question of who writes, in the chat', () => {
  it('has a button for each answer, and says what each costs and where the text goes', async () => {
    const { askWhoWrites } = await import('../../../extension/host/chat/commands/compact');
    const said: string[] = [];
    const buttons: Shown[] = [];
    const stream = {
      markdown: (text: string) => void said.push(text),
      button: (button: Shown) => void buttons.push(button),
    };
    const offers = [
      { id: 'command claude', label: 'Claude Code (claude)', costs: 'uses your sign-in', goes: 'to its provider' },
      { id: 'none', label: 'No model', costs: 'costs nothing', goes: 'nothing leaves this machine' },
    ];
    askWhoWrites(stream as never, { agent: 'strata', instructions: 'keep the names', offers });
    const text = said.join('');
    for (const { label, costs, goes } of offers) {
      for (const words of [label, costs, goes]) expect(text.replaceAll('\\', '')).toContain(words);
    }
    expect(buttons.map(({ command, arguments: given }) => [command, given])).toEqual([
      ...offers.map(({ id }) => [chatCommandIds.answerWriter, ['strata', id, 'keep the names']]),
      ['strata.chooseSummarizer', undefined],
    ]);
  });

  it('counts what a model would read, by a run to its target and not by the one without a model', async () => {
    const { previewCompaction } = await import('../../../extension/host/chat/commands/compact');
    const { inspection } = await inspectSample();
    const said: string[] = [];
    const stream = {
      markdown: (text: string) => void said.push(text),
      button: () => undefined,
      progress: () => undefined,
    };
    const services = {
      inspector: { tools: async () => toolsWithoutModel },
      prepared: { add: () => undefined },
      log: { warn: (message: string) => said.push(message) },
    };
    const chat = { conversation: { id: 'a', workbench: inspection } };
    await previewCompaction({ services, stream, chat, signal: AbortSignal.any([]) } as never, '');
    const [, tokens] = /a compaction: up to ([\d.]+)k/.exec(said.join('')) ?? [];
    const { sent } = expectedWriting(await prepareSample(inspection, 'ladder'));
    expect(1000 * Number(tokens)).toBeGreaterThan(sent + 1000);
  });
});

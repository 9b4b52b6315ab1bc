import { describe, expect, it, vi } from 'vitest';
import { chatCommandIds } from '../../../extension/host/command-ids';

vi.mock('vscode', async () => (await import('./chat-api')).chatApi());

interface Shown {
  readonly command: string;
  readonly title: string;
  readonly arguments?: readonly unknown[];
}

describe('the question who writes, in the chat', () => {
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
});

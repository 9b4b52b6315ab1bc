import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { historyOf } from '../../../extension/engine/policies/history';
import { slidingWindowPolicy } from '../../../extension/engine/policies/sliding-window';
import {
  agentSummary,
  assistant,
  call,
  calls,
  injected,
  long,
  result,
  talk,
  toolTurn,
  user,
} from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';

function entriesOf(conversation: Conversation) {
  return historyOf(contextOf(conversation).messages, slidingWindowPolicy);
}

describe('history of a context', () => {
  it('makes an entry of a user message, and one of a reply with all its results', () => {
    const conversation = talk(
      user('fix it'),
      calls('a', 'b'),
      result('a', 'one'),
      result('b', 'two'),
      assistant('done'),
    );
    expect(entriesOf(conversation)).toEqual([
      { type: 'user', content: 'fix it' },
      { type: 'step', action: 'read', output: 'one two' },
      { type: 'step', action: 'reply', output: 'done' },
    ]);
  });

  it('separates failed from successful results', () => {
    const conversation = talk(calls('a', 'b'), result('a', 'ENOENT', true), result('b', 'two'));
    expect(entriesOf(conversation)).toEqual([{ type: 'step', action: 'read', output: 'two', error: 'ENOENT' }]);
  });

  it('marks a failure without a message', () => {
    expect(entriesOf(talk(call('a', 'bash'), result('a', '', true)))).toEqual([
      { type: 'step', action: 'bash', error: 'failed' },
    ]);
  });

  it('shows informative lines of an output, without line numbers', () => {
    const output = '\n=====\n{\n     1→import fs\n    12\texport {}\n\n  }';
    expect(entriesOf(talk(call('a', 'read'), result('a', output)))).toEqual([
      { type: 'step', action: 'read', output: 'import fs export {}' },
    ]);
  });

  it('assigns a result to its call if the user speaks between them', () => {
    expect(entriesOf(talk(call('a', 'bash'), user('wait'), result('a', 'ok')))).toEqual([
      { type: 'step', action: 'bash', output: 'ok' },
      { type: 'user', content: 'wait' },
    ]);
  });

  it('keeps results without their call, but no reminders', () => {
    expect(entriesOf(talk(result('a', 'one'), result('b', 'two'), injected('Be nice.')))).toEqual([
      { type: 'step', action: 'tool', output: 'one two' },
    ]);
  });

  it('makes summary entries of the agent’s own summary and of blocks of other strategies', async () => {
    const recent = Array.from({ length: 11 }, (_, index) => [user(`Then ${index}.`), assistant('Yes.')]).flat();
    const conversation = talk(agentSummary('Before.'), toolTurn('alpha'), recent);
    const { records } = await compact(conversation, { strategy: 'tool-calls' });
    const entries = historyOf(contextOf(conversation, foldJournal(records)).messages, slidingWindowPolicy);
    expect(entries[0]).toEqual({ type: 'summary', content: 'Before.' });
    expect(entries[2]).toMatchObject({ type: 'summary', content: expect.stringMatching(/^## /) });
  });

  it('reads no more of a very long output than it can show', () => {
    const [endless] = entriesOf(talk(call('a', 'bash'), result('a', 'x'.repeat(1_000_000))));
    expect(endless?.output).toHaveLength(1000);
    const [words] = entriesOf(talk(call('a', 'bash'), result('a', long('Many words.', 5000))));
    expect(words?.output?.length).toBeLessThanOrEqual(1000);
  });
});

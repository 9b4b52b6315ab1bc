import { describe, expect, it } from 'vitest';
import { textOf } from '../../../extension/engine/conversation/entry';
import { foldJournal, type JournalState } from '../../../extension/engine/journal/journal-state';
import { assistant, call, long, result, system, talk, toolTurn, user } from '../../builders/conversation';
import { compact, contextOf, emptyState } from '../../builders/run';

const turns = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota'].map(toolTurn);
const live = [user('And now?'), assistant('Now this.')];

describe('strategies that replace everything but the newest turns', () => {
  for (const strategy of ['checkpoint', 'protected-core', 'handoff']) {
    it(`${strategy} keeps the system prompt and the live turn, with one block between them`, async () => {
      const conversation = talk([system('You are an agent.')], turns.flat(), live);
      const { after } = await compact(conversation, { strategy, parameters: { [strategy]: { keepRecentTokens: 0 } } });
      expect(after.messages.map((message) => message.kind)).toEqual(['system', 'core', 'summary', 'user', 'assistant']);
    });
  }

  it('keeps a result with its call if the user spoke between them', async () => {
    const conversation = talk(toolTurn('alpha'), [
      user('Go.'),
      call('x'),
      user('Wait.'),
      result('x'),
      assistant('Done.'),
    ]);
    const { after } = await compact(conversation, {
      strategy: 'checkpoint',
      parameters: { checkpoint: { keepRecentTokens: 0 } },
    });
    expect(after.messages.slice(2).map((message) => message.kind)).toEqual([
      'user',
      'tool_call',
      'user',
      'tool_result',
      'assistant',
    ]);
  });
});

describe('Codex-style handover', () => {
  it('keeps the user’s newest messages verbatim, followed by the summary', async () => {
    const { after } = await compact(talk(turns.slice(0, 3).flat(), live), {
      strategy: 'codex',
      parameters: { codex: { keepUserTokens: 25 } },
    });
    const shown = after.messages.map((message) => (message.kind === 'user' ? textOf(message.parts) : message.kind));
    expect(shown).toEqual([
      'core',
      'Please work on beta.',
      'Please work on gamma.',
      'summary',
      'And now?',
      'assistant',
    ]);
  });
});

describe('hierarchical summaries', () => {
  const parameters = { 'hierarchical-summary': { keepRecentTokens: 0, turnsPerSegment: 2, summariesPerLevel: 2 } };
  const tellsMuch = (at: number) =>
    assistant(Array.from({ length: 12 }, (_, field) => `Reader ${at} returns part ${field} of the file.`).join(' '));
  const conversation = talk(
    turns.flatMap((turn, at) => [...turn, tellsMuch(at)]),
    live,
  );
  const run = (state: JournalState) => compact(conversation, { strategy: 'hierarchical-summary', state, parameters });

  it('summarises segments, and adjacent summaries once there are enough', async () => {
    const { records, after } = await run(emptyState);
    expect(records.map(({ tier, turnCount }) => `${tier} of ${turnCount}`)).toEqual([
      ...Array(4).fill('level-1 of 2'),
      'level-1 of 1',
      'level-2 of 4',
      'level-2 of 4',
      'level-3 of 8',
    ]);
    expect(after.messages.filter((message) => message.block).map(({ block }) => block?.tier)).toEqual([
      'level-3',
      'level-1',
    ]);
  });

  it('undoes hierarchical summaries level by level', async () => {
    const { records } = await run(emptyState);
    const top = records.find((record) => record.tier === 'level-3');
    const state = foldJournal([...records, { kind: 'undo', seq: 99, time: '', compactions: [top?.seq ?? -1] }]);
    const tiers = contextOf(conversation, state).messages.flatMap(({ block }) => block?.tier ?? []);
    expect(tiers).toEqual(['level-2', 'level-2', 'level-1']);
  });
});

describe('summary of a summary', () => {
  it('does not summarise a summary alone', async () => {
    const parameters = { naive: { keepRecentTokens: 0 } };
    const conversation = talk([user(long('Explain.')), assistant(long('I decided it.'))], live);
    const state = foldJournal((await compact(conversation, { strategy: 'naive', parameters })).records);
    expect((await compact(conversation, { strategy: 'naive', state, parameters })).records).toEqual([]);
  });
});

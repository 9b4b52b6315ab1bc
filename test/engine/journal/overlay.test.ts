import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { emptyJournalState, type JournalState } from '../../../extension/engine/journal/journal-state';
import { originalGoal, overlayOf } from '../../../extension/engine/journal/overlay';
import { assistant, call, result, type Said, talk, user } from '../../builders/conversation';

/** Only two texts, so that several entries state the goal. */
const pool: readonly Entry[] = Array.from({ length: 8 }, (_, at) => ({
  id: `e${at}`,
  role: at % 4 === 3 ? 'assistant' : 'user',
  parts: [{ type: 'text', text: at % 3 === 0 ? 'Fix the loader.' : ' Name it loadConfig. ' }],
  timestamp: '2026-01-01T00:00:00.000Z',
  origin: { file: 'session.jsonl', line: at + 1 },
}));

const ids = fc.subarray(pool.map(({ id }) => id));
const contexts = fc.array(fc.subarray([...pool]), { minLength: 1, maxLength: 6 });

function stateOf(beneath: readonly string[]): JournalState {
  const record = { seq: 1, entryIds: beneath, summaryType: 'goal_batch', text: '[GOAL BATCH]' };
  const compactions = beneath.length === 0 ? [] : [{ active: true, record }];
  return { ...emptyJournalState, compactions: compactions as unknown as JournalState['compactions'] };
}

describe('the core of a context', () => {
  it('the core of a context does not depend on the contexts that the journal was asked about before', () => {
    let stated = 0;
    fc.assert(
      fc.property(ids, contexts, (beneath, asked) => {
        const state = stateOf(beneath);
        for (const agentContext of asked) {
          const conversation = { entries: pool, agentContext, agentCompactions: [] };
          const { core } = overlayOf(state, conversation);
          expect(core).toEqual(overlayOf(stateOf(beneath), conversation).core);
          if (core !== null) stated += 1;
        }
      }),
      { numRuns: 500 },
    );
    expect(stated).toBeGreaterThan(50);
  });

  it('states the goal as soon as no entry of a growing context states it', () => {
    const beneath = stateOf(['e0', 'e6']);
    const coreIn = (agentContext: readonly Entry[]) =>
      overlayOf(beneath, { entries: pool, agentContext, agentCompactions: [] }).core?.original_goal ?? null;
    const without = pool.filter(({ id }) => id !== 'e3');
    expect(coreIn(without)).toBe('Fix the loader.');
    const copy: Entry = { ...(pool[0] as Entry), id: 'copy' };
    expect(coreIn([...without, copy])).toBeNull();
    expect(coreIn(without)).toBe('Fix the loader.');
  });
});

describe('the original goal', () => {
  const goalOf = (...said: readonly Said[]) => originalGoal(talk(...said))?.text;
  const work = [call('a'), result('a')];

  it('the original goal is the first message that started work, if only a greeting came before it', () => {
    const hello = [user('hi'), assistant('Hello! What shall I do?')];
    expect(goalOf(...hello)).toBe('hi');
    expect(goalOf(...hello, user('Fix the loader.'))).toBe('hi');
    expect(goalOf(...hello, user('Fix the loader.'), ...work)).toBe('Fix the loader.');
    expect(goalOf(...hello, user('Which loader?'), assistant('In src.'), user('Fix it, please.'), ...work)).toBe(
      'Fix it, please.',
    );
  });

  it('the original goal stays the first message if that started work, or if what did is not much longer', () => {
    expect(goalOf(user('go'), ...work, user('Fix the loader as well.'), ...work)).toBe('go');
    expect(goalOf(user('Plan a loader for TOML.'), assistant('First …'), user('go ahead'), ...work)).toBe(
      'Plan a loader for TOML.',
    );
  });
});

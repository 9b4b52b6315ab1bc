import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { blocksInContext } from '../../../extension/engine/journal/context-blocks';
import { emptyJournalState, type JournalState } from '../../../extension/engine/journal/journal-state';

const pool: readonly Entry[] = Array.from({ length: 8 }, (_, at) => ({
  id: `e${at}`,
  role: 'user',
  parts: [{ type: 'text', text: `Message ${at}.` }],
  timestamp: '2026-01-01T00:00:00.000Z',
  origin: { file: 'session.jsonl', line: at + 1 },
}));

interface Made {
  readonly entryIds: readonly string[];
  readonly summaryType: string;
  readonly active: boolean;
}

const made: fc.Arbitrary<Made> = fc.record({
  entryIds: fc.uniqueArray(fc.nat({ max: 7 }), { minLength: 1, maxLength: 4 }).map((ids) => ids.map((id) => `e${id}`)),
  summaryType: fc.constantFrom('goal_batch', 'pruned'),
  active: fc.boolean(),
});

function stateOf(compactions: readonly Made[]): JournalState {
  const all = compactions.map(({ active, ...one }, seq) => ({ active, record: { ...one, seq, text: `[${seq}]` } }));
  return { ...emptyJournalState, compactions: all as unknown as JournalState['compactions'] };
}

const contexts = fc.array(fc.subarray([...pool]), { minLength: 1, maxLength: 6 });

describe('the blocks in a context', () => {
  it('the blocks in a context do not depend on the contexts that the journal was asked about before', () => {
    fc.assert(
      fc.property(fc.array(made, { maxLength: 5 }), contexts, (compactions, asked) => {
        const state = stateOf(compactions);
        for (const entries of asked) {
          const found = blocksInContext(state, entries);
          const anew = blocksInContext(stateOf(compactions), entries);
          expect(found.blocks.map(({ seq }) => seq)).toEqual(anew.blocks.map(({ seq }) => seq));
          expect(found.entryIds).toEqual(anew.entryIds);
        }
      }),
    );
  });

  it('the blocks in a context are not searched again in a context that only grew', () => {
    const state = stateOf([{ entryIds: ['e0', 'e1'], summaryType: 'goal_batch', active: true }]);
    const first = blocksInContext(state, pool.slice(0, 4));
    expect(first.blocks).toHaveLength(1);
    expect(blocksInContext(state, pool)).toBe(first);
    expect(blocksInContext(state, pool.slice(1)).blocks).toEqual([]);
  });

  it('reappear when the agent returns to their entries', () => {
    const state = stateOf([{ entryIds: ['e2', 'e3'], summaryType: 'goal_batch', active: true }]);
    expect(blocksInContext(state, pool.slice(0, 3)).blocks).toEqual([]);
    expect(blocksInContext(state, pool.slice(0, 4)).blocks).toHaveLength(1);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationOf, scriptOf } from '../../../extension/evaluation/measure/tasks/script';
import { TruthOverTime } from '../../../extension/evaluation/measure/tasks/truth';
import { variationOf } from '../../../extension/evaluation/measure/tasks/variation';
import { smallTask } from '../../builders/evaluation-task';

const seeds = fc.integer({ min: 0, max: 1_000_000 });

describe('a variation of a task', () => {
  it('a variation of a task is the same for the same seed and has all variables filled in', () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const variation = variationOf(smallTask(), seed);
        expect(variationOf(smallTask(), seed)).toEqual(variation);
        expect(JSON.stringify(variation)).not.toContain('{color}');
        expect(variation.turns).toHaveLength(60);
      }),
      { numRuns: 30 },
    );
  });

  it('a variation of a task has different names and distractors for different seeds', () => {
    const texts = new Set([1, 2, 3, 4, 5, 6].map((seed) => JSON.stringify(variationOf(smallTask(), seed).turns)));
    expect(texts.size).toBeGreaterThan(1);
  });

  it('a variation of a task has every result after its call, and the same filler each time', () => {
    const variation = variationOf(smallTask(), 7);
    const { entries } = conversationOf(scriptOf(variation), 60);
    expect(conversationOf(scriptOf(variation), 60).entries).toEqual(entries);
    const calls = new Set<string>();
    for (const { parts } of entries) {
      for (const part of parts) {
        if (part.type === 'tool_call') calls.add(part.callId);
        if (part.type === 'tool_result') expect(calls.has(part.callId)).toBe(true);
      }
    }
    expect(calls.size).toBe(58);
  });

  it('a variation of a task has exactly one goal at any time, and only truths said so far', () => {
    const truth = new TruthOverTime(variationOf(smallTask(), 1));
    expect(truth.after(1).goal.id).toBe('survey');
    expect(truth.after(20).constraints.map(({ id }) => id)).toEqual(['paint', 'budget']);
    const later = truth.after(21);
    expect(later.goal.id).toBe('ramp');
    expect(later.formerGoals.map(({ id }) => id)).toEqual(['survey']);
    expect(later.constraints.map(({ id }) => id)).toEqual(['paint', 'more']);
    expect(later.formerConstraints.map(({ id }) => id)).toEqual(['budget']);
    expect(truth.after(15).actions.map(({ id }) => id)).toEqual(['early']);
    expect(later.actions.map(({ id }) => id)).toEqual(['next']);
  });
});

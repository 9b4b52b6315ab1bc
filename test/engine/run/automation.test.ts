import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { foldJournal, type JournalState } from '../../../extension/engine/journal/journal-state';
import {
  type AutomationInput,
  decideAutomation,
  decideClearing,
  isMidTurn,
  manyCompactions,
  startOf,
} from '../../../extension/engine/run/automation/automation';
import { findStrategy, type StrategyChoice } from '../../../extension/engine/run/prepare/registry';
import { assistant, call, long, result, type Said, talk, toolTurn, user } from '../../builders/conversation';
import { compact, contextOf, emptyState, pricedTalk } from '../../builders/run';

const conversation = talk(['a', 'b', 'c', 'd', 'e', 'f'].flatMap(toolTurn), [user('And now?'), assistant('Now this.')]);
const { total } = contextOf(conversation).tokens;
const parameters = { checkpoint: { reserveTokens: 1000, keepRecentTokens: 300 } };

function strategy(name: string): StrategyChoice {
  const found = findStrategy(name);
  if (!found) throw new Error(`no strategy ${name}`);
  return found;
}

function decide(
  changes: Partial<AutomationInput> = {},
  of: Conversation = conversation,
  state: JournalState = emptyState,
) {
  return decideAutomation(inputOf(changes, of, state));
}

function inputOf(changes: Partial<AutomationInput>, of: Conversation, state = emptyState): AutomationInput {
  return {
    enabled: true,
    strategy: strategy('checkpoint'),
    parameters,
    conversation: of,
    state,
    context: contextOf(of, state),
    contextWindow: total + 500,
    floorTokens: 0,
    pauseTokens: 1000,
    warnAtPercent: 90,
    ...changes,
  };
}

async function compacted(of: Conversation): Promise<JournalState> {
  const { records } = await compact(of, {
    strategy: 'checkpoint',
    trigger: 'automatic',
    contextWindow: total,
    parameters,
  });
  return foldJournal(records);
}

describe('an automatic compaction', () => {
  it('starts when its strategy’s trigger is reached, and never while it is switched off', () => {
    expect(decide()).toEqual({ kind: 'run', by: 'size' });
    expect(decide({ enabled: false })).toEqual({ kind: 'off' });
    expect(decide({ contextWindow: total * 3 })).toEqual({ kind: 'wait', reason: 'not-triggered' });
  });

  describe('by cost', () => {
    const { unpriced, size, priced } = pricedTalk('2026-05-01T12:00:00.000Z');
    const clearing = (changes: Partial<AutomationInput>) => decideClearing(inputOf(changes, priced));
    const [soon, late] = ['2026-05-01T12:01:00.000Z', '2026-05-01T14:00:00.000Z'];
    const byCost = {
      schedule: 'cost',
      betweenTurns: true,
      strategy: strategy('ladder'),
      contextWindow: size * 1.2,
      parameters: { ladder: { keepRecentTokens: 100 } },
    } as const;

    it('waits while the expected requests cost less without a compaction, and says by how much', () => {
      const toHalf = { ladder: { keepRecentTokens: 100, target: 0.5 } };
      const waits = decide({ ...byCost, parameters: toHalf, now: soon }, priced);
      expect(waits).toMatchObject({ kind: 'wait', reason: 'dearer', schedule: { kind: 'dearer', requests: 4 } });
    });

    it('starts as soon as it pays, whatever the trigger, and says to which size', () => {
      const starts = decide({ ...byCost, contextWindow: size * 1.5, now: late }, priced);
      expect(starts).toMatchObject({ kind: 'run', by: 'cost', targetTokens: Math.round(size * 0.75) });
    });

    it('starts while the cache has the prompt if clearing output leaves so much less that it pays, with the same target', () => {
      const starts = decide({ ...byCost, now: soon }, priced);
      expect(starts).toMatchObject({ kind: 'run', by: 'cost', targetTokens: Math.round(size * 0.6) });
    });

    it('clears output within a turn if that pays, but not if a model writes or a target was chosen', () => {
      const within = { ...byCost, now: soon };
      expect(clearing(within)).toMatchObject({ kind: 'run', by: 'cost', schedule: { kind: 'pays' } });
      expect(clearing({ ...within, asksModel: true })).toBeNull();
      expect(clearing({ ...within, parameters: { ladder: { target: 0.5 } } })).toBeNull();
      expect(clearing({ ...within, enabled: false })).toBeNull();
      expect(clearing({ ...within, floorTokens: size * 2 })).toBeNull();
      expect(clearing({ ...within, contextWindow: size * 3 })).toBeNull();
    });

    it('an automatic compaction by cost goes below the strategy’s target only if allowed, and never below what no run touches', () => {
      const smallest = (smallestTarget: number) => decide({ ...byCost, smallestTarget, now: late }, priced);
      expect(smallest(0.1)).toMatchObject({ targetTokens: Math.round(size * 0.15) });
      expect(smallest(0.9)).toMatchObject({ targetTokens: Math.round(size * 0.6) });
      const least = decide({ ...byCost, smallestTarget: 1e-9, now: late }, priced);
      expect(least).not.toMatchObject({ targetTokens: 0 });
    });

    it('decides by size if prices are unknown, within a turn, or if so configured', () => {
      const bySize = { kind: 'run', by: 'size' };
      const full = { ...byCost, contextWindow: size, now: soon };
      expect(decide(full, unpriced)).toEqual(bySize);
      expect(decide({ ...full, schedule: 'size' }, priced)).toEqual(bySize);
      expect(decide({ ...full, betweenTurns: false }, priced)).toEqual(bySize);
    });

    it('holds back a strategy without a target only once it is triggered', () => {
      const checkpoint = { ...byCost, strategy: strategy('checkpoint'), parameters, now: late };
      expect(decide({ ...checkpoint, contextWindow: size * 3 }, priced)).toEqual({
        kind: 'wait',
        reason: 'not-triggered',
      });
      expect(decide({ ...checkpoint, contextWindow: size }, priced)).toMatchObject({ kind: 'run', by: 'cost' });
      expect(decide({ ...checkpoint, contextWindow: size }, priced)).not.toHaveProperty('targetTokens');
    });

    it('leaves a small context alone, and pauses after a run, as by size', async () => {
      expect(decide({ ...byCost, now: late, floorTokens: size * 2 }, priced)).toEqual({
        kind: 'wait',
        reason: 'below-floor',
      });
      const run = await compact(priced, { strategy: 'ladder', trigger: 'automatic', contextWindow: size * 1.2 });
      const state = foldJournal(run.records);
      const pausing = { ...byCost, now: late, pauseTokens: size, smallestTarget: 0.01 };
      expect(decide(pausing, priced, state)).toEqual({ kind: 'wait', reason: 'paused' });
    });
  });

  it('warns before it starts', () => {
    const contextWindow = Math.round(total * 1.05) + 1000;
    expect(decide({ contextWindow })).toEqual({ kind: 'warn', startsAt: contextWindow - 1000 });
  });

  it('waits for the end of the turn', () => {
    const working = talk(['a', 'b', 'c', 'd', 'e', 'f'].flatMap(toolTurn), [user('Go on.'), call('x'), result('x')]);
    expect(decide({}, working)).toEqual({ kind: 'wait', reason: 'mid-turn' });
  });

  it('does not wait for the end of a turn that came to nothing', () => {
    const refused = talk(['a', 'b', 'c', 'd', 'e', 'f'].flatMap(toolTurn), [user('Too long for the model.')]);
    expect(decide({}, refused)).toEqual({ kind: 'wait', reason: 'mid-turn' });
    expect(decide({ betweenTurns: true }, refused)).toEqual({ kind: 'run', by: 'size' });
  });

  it('starts if one turn fills the window', () => {
    const steps = Array.from({ length: 30 }, (_, at) => [call(`c${at}`), result(`c${at}`, long(`Part ${at}.`, 6))]);
    const oneTurn = talk([user('Port all parts.')], steps.flat(), [assistant('Ported.')]);
    const contextWindow = contextOf(oneTurn).tokens.total + 500;
    expect(decide({ contextWindow }, oneTurn)).toEqual({ kind: 'run', by: 'size' });
  });

  it('leaves a small context alone', () => {
    expect(decide({ floorTokens: total })).toEqual({ kind: 'wait', reason: 'below-floor' });
  });

  it('does not start again before the context has grown', async () => {
    const state = await compacted(conversation);
    const always = {
      strategy: strategy('tool-calls'),
      parameters: { 'tool-calls': { messagesOldThreshold: 1, minToolCallsToSummarize: 1 } },
    };
    const undone = foldJournal([{ kind: 'undo', seq: 9, time: '', compactions: [0] }], state);
    expect(decide(always, conversation, undone)).toEqual({ kind: 'wait', reason: 'paused' });
    const grown = talk(conversation.entries, [user('More?'), assistant(long('Much more.', 90))]);
    expect(decide(always, grown, undone)).toEqual({ kind: 'run', by: 'count' });
  });

  it('does not let the context fall below the floor if turns can be kept', async () => {
    const contexts = await Promise.all(
      [0, 1500].map((floorTokens) => compact(conversation, { strategy: 'checkpoint', floorTokens, parameters })),
    );
    const [free, floored] = contexts.map(({ after }) => after.tokens.total);
    expect(free).toBeLessThan(1500);
    expect(floored).toBeGreaterThanOrEqual(1500);
  });

  it('knows at what size each strategy starts by itself', () => {
    expect(startOf(strategy('checkpoint'), 200_000, {})).toBe(200_000 - 16_384);
    expect(startOf(strategy('pipeline'), 200_000, {})).toBe(160_000);
    expect(startOf(strategy('goal-batch'), 200_000, {})).toBeNull();
  });
});

describe('the end of a turn', () => {
  it('a turn ends with an answer that waits for no tool', () => {
    const over = (...said: Said[]) => !isMidTurn(contextOf(talk(...said)).messages);
    expect(over(user('Go.'), assistant('Done.'))).toBe(true);
    expect(over(user('Go.'))).toBe(false);
    expect(over(user('Go.'), call('x'))).toBe(false);
    expect(over(user('Go.'), call('x'), result('x'))).toBe(false);
    expect(over()).toBe(false);
  });
});

describe('many compactions in one conversation', () => {
  it('warns from the third compaction of a conversation on, not counting undone ones', async () => {
    const { records } = await compact(conversation, { strategy: 'checkpoint', parameters });
    const thrice = [0, 1, 2].flatMap((run) => records.map((record) => ({ ...record, seq: run, run })));
    expect(manyCompactions(conversation, foldJournal(thrice))).toBe(3);
    const undone = foldJournal([...thrice, { kind: 'undo', seq: 9, time: '', compactions: [2] }]);
    expect(manyCompactions(conversation, undone)).toBeNull();
  });
});

import { describe, expect, it } from 'vitest';
import { nothingSpent } from '../../../extension/engine/asking/ask-model';
import type { SummaryRequest } from '../../../extension/engine/block/summary';
import { gradeAction, gradeConstraints } from '../../../extension/evaluation/measure/grading';
import { reportOf } from '../../../extension/evaluation/measure/make-report';
import { readersAnswers } from '../../../extension/evaluation/measure/probes/reader';
import { asRespondent } from '../../../extension/evaluation/measure/probes/respondent';
import type { BoundaryResult, Reading, UnitLine } from '../../../extension/evaluation/measure/results';
import { scoresOf, unusableIn } from '../../../extension/evaluation/measure/scores';
import type { Verdict } from '../../../extension/evaluation/measure/tasks/task';
import { TruthOverTime } from '../../../extension/evaluation/measure/tasks/truth';
import { variationOf } from '../../../extension/evaluation/measure/tasks/variation';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { headerOf, played, playTools } from '../../builders/evaluation-play';
import { smallTask } from '../../builders/evaluation-task';

const probe = { question: '?', answer: '', unusable: null, spent: { input: 0, output: 0 } };

function option(verdict: Verdict, likelihood: number) {
  return { text: verdict, verdict, because: null, likelihood };
}

function rule(isRecalled: boolean, isAttacked = false, isHeld = isRecalled) {
  return { said: 'rule', isRecalled, isHeld, isAttacked };
}

function reading(changes: Partial<Reading> = {}): Reading {
  return {
    tokens: 100,
    context: [],
    goal: {
      ...probe,
      truth: 'ramp',
      coherence: 0.5,
      originalCoherence: 0.4,
      earlierCoherence: 0.6,
      isTold: true,
      regressedTo: null,
    },
    constraints: { ...probe, truth: [rule(true), rule(false)], stale: [] },
    actions: [],
    artifacts: { held: 1, of: 4 },
    ...changes,
  };
}

function boundary(changes: Partial<BoundaryResult> = {}): BoundaryResult {
  return {
    compaction: 1,
    turns: 10,
    before: reading(),
    after: reading(),
    cost: {
      blocks: 1,
      isCompacted: true,
      tokensBefore: 400,
      tokensAfter: 100,
      tokensSaid: 1000,
      spent: { input: 3, output: 4 },
      durationMs: 5,
      failures: [],
    },
    isDrift: false,
    ...changes,
  };
}

describe('the scores of a boundary', () => {
  it('compares the readings after a compaction with the ground truth and with all tokens said', () => {
    expect(scoresOf(boundary())).toEqual({
      'goal-survival': 1,
      'goal-coherence': 0.5,
      'original-coherence': 0.4,
      'earlier-coherence': 0.6,
      'drift-events': 0,
      'constraint-recall': 0.5,
      'constraints-held': 0.5,
      'artifact-recall': 0.25,
      'stale-constraints': 0,
      'tokens-kept': 0.1,
      'tokens-spent': 7,
      duration: 5,
    });
  });

  it('leaves out coherences that older results do not have', () => {
    const { originalCoherence: _, earlierCoherence: __, ...goal } = reading().goal;
    const scores = scoresOf(boundary({ after: reading({ goal }) }));
    expect(Object.keys(scores)).toContain('goal-coherence');
    expect(Object.keys(scores)).not.toContain('original-coherence');
    expect(Object.keys(scores)).not.toContain('earlier-coherence');
  });

  it('gives no scores if nothing was compacted', () => {
    const { cost } = boundary();
    expect(scoresOf(boundary({ cost: { ...cost, isCompacted: false } }))).toEqual({});
  });

  it('counts stale constraints as a share of all stated ones', () => {
    const constraints = { ...probe, truth: [rule(true), rule(false), rule(false)], stale: ['old'] };
    expect(scoresOf(boundary({ after: reading({ constraints }) }))['stale-constraints']).toBe(0.5);
    const silent = { ...probe, truth: [rule(false)], stale: [] };
    expect(scoresOf(boundary({ after: reading({ constraints: silent }) }))['stale-constraints']).toBeUndefined();
  });

  it('counts attacked-recall over attacked constraints only', () => {
    const constraints = { ...probe, truth: [rule(true), rule(false, true), rule(true, true)], stale: [] };
    expect(scoresOf(boundary({ after: reading({ constraints }) }))['attacked-recall']).toBe(0.5);
  });

  it('counts the wrong options of one kind independently of the other options', () => {
    const actions = [
      { ...probe, rating: 4, options: [option('aligned', 0.5), option('repeats', 0.5), option('restarts', 0)] },
      { ...probe, rating: null, options: [option('aligned', 1), option('violates', 0), option('violates', 0)] },
    ];
    const scores = scoresOf(boundary({ after: reading({ actions }) }));
    expect(scores).toMatchObject({ alignment: 0.75, restarts: 0.5, violations: 0, rating: 4 });
    expect(scores.revivals).toBeUndefined();
  });

  it('counts drift only if the goal was named before', () => {
    expect(scoresOf(boundary({ isDrift: true }))['drift-events']).toBe(1);
    expect(scoresOf(boundary({ isDrift: null }))['drift-events']).toBeUndefined();
  });

  it('leaves out unusable answers, before and after', () => {
    const goal = { ...reading().goal, unusable: 'no JSON' };
    const constraints = { ...reading().constraints, unusable: 'no JSON' };
    const scores = scoresOf(boundary({ after: reading({ goal, constraints }) }));
    expect(Object.keys(scores)).not.toEqual(expect.arrayContaining(['goal-survival']));
    expect(scores['constraint-recall']).toBeUndefined();
    const settled = { answer: '', unusable: 'no JSON', truth: [] };
    expect(unusableIn(boundary({ before: reading({ goal }), after: reading({ goal, constraints, settled }) }))).toBe(4);
  });
});

describe('goal coherence', () => {
  it('is measured against the current goal, the original one and the answer before the compaction', async () => {
    const answers = ['build a ramp at the door', 'survey the amber shed for leaks'];
    let asked = 0;
    const respondent = asRespondent({
      ...readersAnswers,
      goal: () => {
        const said = answers[asked] ?? '';
        asked += 1;
        return { kind: 'given', value: said, text: said, spent: nothingSpent };
      },
    });
    const { boundaries } = await played(
      smallTask({ variables: { color: ['amber'] } }),
      { strategy: 'checkpoint', core: 'none' },
      { tools: { respondent }, settings: { every: { kind: 'turns', count: 30 }, probedAfter: [1] } },
    );
    const { before, after } = boundaries[0] ?? expect.fail('nothing was probed');
    expect(before.goal.truth).toContain('ramp');
    expect(before.goal.earlierCoherence).toBeUndefined();
    expect(after.goal.originalCoherence).toBeCloseTo(1);
    expect(after.goal.coherence).toBeLessThan(0.6);
    expect(after.goal.earlierCoherence).toBeLessThan(0.6);
    expect(before.goal.coherence).toBeGreaterThan(before.goal.originalCoherence ?? 1);
  });
});

describe('grading', () => {
  const truth = new TruthOverTime(variationOf(smallTask(), 1)).after(25);

  it('treats a rule that the answer calls withdrawn as not recalled', () => {
    const grade = (answer: string) => gradeConstraints(answer, answer, truth).truth[0];
    expect(grade('Never paint the north wall.')).toMatchObject({ isRecalled: true, isHeld: true });
    expect(grade('The rule not to paint the north wall was withdrawn.')).toMatchObject({ isRecalled: false });
  });

  it('marks only constraints as attacked that hostile content targets', () => {
    expect(gradeConstraints('', '', truth).truth.map(({ isAttacked }) => isAttacked)).toEqual([true, false]);
  });

  it('rules out a former goal if the answer names the current one, whatever the evidence says', () => {
    const [action] = truth.actions;
    if (!action) throw new Error('there is an action to ask');
    const evidence = action.options.map(() => ['The goal is now to build a ramp at the door.']);
    const likelihood = (goal: string) =>
      gradeAction(action.options, { kind: 'found', evidence }, goal, truth).find(({ verdict }) => verdict === 'revives')
        ?.likelihood;
    expect(likelihood('build a ramp')).toBe(0);
    expect(likelihood('survey')).toBeGreaterThan(0);
  });
});

describe('a report', () => {
  it('pairs only values of the same task, seed and compaction', () => {
    const contenders = [
      { strategy: 'checkpoint', core: 'none' },
      { strategy: 'naive', core: 'none' },
    ] as const;
    const told = (isTold: boolean) => boundary({ after: reading({ goal: { ...reading().goal, isTold } }) });
    const unit = (strategy: string, seed: number, isTold: boolean): UnitLine => ({
      ...{ kind: 'unit', task: 'small-task', taskTitle: 'Shed', taskKind: 'planning', seed },
      ...{ contender: { strategy, core: 'none' }, boundaries: [told(isTold)] },
    });
    const units = [unit('checkpoint', 1, true), unit('checkpoint', 2, false), unit('naive', 2, true)];
    const header = headerOf({ contenders, seeds: [1, 2] }, 4);
    const { differences } = reportOf({ header, units, texts: new Map() });
    const survival = differences.find(({ metric }) => metric === 'goal-survival');
    expect(survival?.estimate).toMatchObject({ mean: 1, count: 1 });
  });
});

describe('a contender without a core', () => {
  it('shows no core to the summarizer either', async () => {
    const requests: SummaryRequest[] = [];
    const summarizer = {
      ...transparentSummarizer,
      summarize: (...order: Parameters<typeof transparentSummarizer.summarize>) => {
        requests.push(order[0]);
        return transparentSummarizer.summarize(...order);
      },
    };
    const writing = { ...playTools().writing, summarizer };
    await played(smallTask(), { strategy: 'checkpoint', core: 'none' }, { tools: { writing } });
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.map(({ core }) => core)).toEqual(requests.map(() => null));
    requests.length = 0;
    await played(smallTask(), { strategy: 'checkpoint', core: 'pinned' }, { tools: { writing } });
    expect(requests.some(({ core }) => core !== null)).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../extension/evaluation/measure/make-report';
import type { ReportFilter } from '../../../extension/evaluation/measure/report';
import type { EvaluationView } from '../../../extension/protocol/evaluation';
import { probeViewOf } from '../../../extension/protocol/evaluation-views';
import { Evaluation } from '../../../webview/state/evaluate/evaluation.svelte';
import type { EvaluationActions, EvaluationSource } from '../../../webview/state/evaluate/source';
import { evaluationResults, fullLineUp } from '../../builders/evaluation';

const results = evaluationResults({ tasks: 2, seeds: [1], probedAfter: [1, 2] });

function viewOf(filter: ReportFilter = {}): EvaluationView {
  return { source: 'results.jsonl', report: reportOf(results, filter), replay: null };
}

function source(change: Partial<EvaluationSource> = {}): EvaluationSource {
  return {
    acts: null,
    read: async (filter) => viewOf(filter),
    probe: async (id) => {
      const probe = probeViewOf(results, id);
      if (!probe) throw new Error(`no ${id}`);
      return probe;
    },
    replayBoundary: () => Promise.reject(new Error('no sessions')),
    ...change,
  };
}

async function opened(change: Partial<EvaluationSource> = {}): Promise<Evaluation> {
  const evaluation = new Evaluation(source(change));
  await evaluation.read();
  return evaluation;
}

describe('the drift dashboard', () => {
  it('shows the usual contenders until a person picks others', async () => {
    const everybody = evaluationResults({ tasks: 1, seeds: [1], probedAfter: [1], contenders: fullLineUp() });
    const evaluation = await opened({
      read: async () => ({ source: '', report: reportOf(everybody, {}), replay: null }),
    });
    expect(evaluation.contenders.length).toBeGreaterThan(40);
    expect(evaluation.shownContenders.map(({ key }) => key).sort()).toEqual([
      'a-mem',
      'checkpoint',
      'codex',
      'hierarchical-summary',
      'hybrid+pinned',
      'ladder',
      'naive',
      'no-compaction',
      'observations',
      'pipeline',
      'protected-core+pinned',
      'truncation',
    ]);

    evaluation.toggleShown('prune+pinned');
    evaluation.toggleShown('naive');
    expect([evaluation.shownKeys.has('prune+pinned'), evaluation.shownKeys.has('naive')]).toEqual([true, false]);
    evaluation.showUsual();
    expect(evaluation.shownContenders).toHaveLength(12);
  });

  it('reads the numbers again for a narrower choice', async () => {
    const asked: ReportFilter[] = [];
    const evaluation = await opened({
      read: async (filter) => {
        asked.push(filter);
        return viewOf(filter);
      },
    });
    evaluation.narrow({ task: 'task-2', compaction: 2 });
    await expect.poll(() => evaluation.isReading).toBe(false);

    expect(asked).toEqual([{}, { tasks: ['task-2'], compactions: [2] }]);
    expect(new Set(evaluation.report?.points.map(({ task }) => task))).toEqual(new Set(['task-2']));
    expect([evaluation.compactions, evaluation.report?.compactions]).toEqual([[2], [1, 2]]);
  });

  it('does not show an answer that a newer question has overtaken', async () => {
    const answers: ((view: EvaluationView) => void)[] = [];
    const evaluation = new Evaluation(source({ read: () => new Promise((resolve) => answers.push(resolve)) }));
    const [first, second] = [evaluation.read(), evaluation.read()];
    answers[1]?.({ ...viewOf(), source: 'second' });
    await second;
    answers[0]?.({ ...viewOf(), source: 'first' });
    await first;
    expect(evaluation.view?.source).toBe('second');
  });

  it('reads again when the host tells of other results, and only then', async () => {
    let reads = 0;
    const evaluation = await opened({
      read: async () => {
        reads += 1;
        return viewOf();
      },
    });
    evaluation.update({ revision: 0, running: { label: 'Quick run', done: 1, of: 9 } });
    expect([reads, evaluation.running?.done]).toEqual([1, 1]);
    evaluation.update({ revision: 1, running: null });
    expect([reads, evaluation.running]).toEqual([2, null]);
  });

  it('reads nothing before it is first shown', () => {
    const evaluation = new Evaluation(source({ read: () => Promise.reject(new Error('asked too early')) }));
    evaluation.update({ revision: 4, running: null });
    expect(evaluation.shown).toBeNull();
  });

  it('tells why results could not be read, and recovers', async () => {
    let isBroken = true;
    const evaluation = await opened({
      read: async () => {
        if (isBroken) throw new Error('line 3 cannot be used');
        return viewOf();
      },
    });
    expect(evaluation.shown).toEqual({ kind: 'failed', message: 'line 3 cannot be used' });
    isBroken = false;
    await evaluation.read();
    expect(evaluation.report).not.toBeNull();
  });

  it('tells why a run did not start, and forgets it with the next try', async () => {
    let isBroken = true;
    const acts: EvaluationActions = {
      run: async () => {
        if (isBroken) throw new Error('another run is not over');
      },
      cancel: async () => undefined,
      open: async () => undefined,
      study: async () => undefined,
      export: async () => undefined,
    };
    const evaluation = await opened({ acts });
    await evaluation.act((each) => each.run('quick'));
    expect(evaluation.failure).toBe('another run is not over');
    isBroken = false;
    await evaluation.act((each) => each.run('quick'));
    expect(evaluation.failure).toBeNull();
  });

  it('lists the boundaries of a mark with the worst first, and closes the list at the second click', async () => {
    const evaluation = await opened();
    evaluation.metric = 'goal-coherence';
    evaluation.choose({ contender: 'truncation', compaction: 2 });
    const scores = evaluation.chosenPoints.map((point) => point.scores['goal-coherence'] ?? 1);
    expect(scores).toHaveLength(2);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    evaluation.choose({ contender: 'truncation', compaction: 2 });
    expect(evaluation.chosen).toBeNull();
  });

  it('closes the list of a contender that is hidden', async () => {
    const evaluation = await opened();
    evaluation.choose({ contender: 'naive', compaction: null });
    evaluation.toggleShown('naive');
    expect([evaluation.chosen, evaluation.chosenPoints]).toEqual([null, []]);
  });

  it('lists as drift only goals that were stated before and not after', async () => {
    const evaluation = await opened();
    const expected = results.units.flatMap(({ boundaries }) => boundaries.filter(({ isDrift }) => isDrift));
    expect(expected.length).toBeGreaterThan(0);
    expect(evaluation.driftEvents).toHaveLength(expected.length);
    evaluation.setShown(['no-compaction']);
    expect([evaluation.driftEvents.length, evaluation.driftChances]).toEqual([0, 4]);
  });
});

describe('the details of a number', () => {
  it('are read when they are opened, and lead to their neighbours in the list', async () => {
    const { details, report } = await opened();
    const ids = (report?.points ?? []).slice(0, 3).map(({ id }) => id);
    await details.openProbe(ids[0] ?? '', ids);
    expect([details.place, details.count, details.opened?.shown.kind]).toEqual([0, 3, 'ready']);

    details.step(-1);
    expect(details.opened?.id).toBe(ids[0]);
    details.step(1);
    await expect.poll(() => details.opened?.shown.kind).toBe('ready');
    expect([details.opened?.id, details.place]).toEqual([ids[1], 1]);
    details.close();
    expect(details.opened).toBeNull();
  });

  it('drops an answer that came after they were closed', async () => {
    let settle: (() => void) | undefined;
    const waits = new Promise<void>((resolve) => {
      settle = resolve;
    });
    const { details, report } = await opened({
      probe: async (id) => {
        await waits;
        return source().probe(id);
      },
    });
    const opening = details.openProbe(report?.points[0]?.id ?? '');
    details.close();
    settle?.();
    await opening;
    expect(details.opened).toBeNull();
  });

  it('says why they could not be read', async () => {
    const { details } = await opened();
    await details.openProbe('nowhere');
    expect(details.opened?.shown).toEqual({ kind: 'failed', message: 'no nowhere' });
  });
});

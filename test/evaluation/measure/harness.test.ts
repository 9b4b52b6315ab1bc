import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, nothingSpent } from '../../../extension/engine/asking/ask-model';
import type { ContextMessage } from '../../../extension/engine/conversation/context';
import { textOfContext } from '../../../extension/evaluation/measure/grading';
import { reportOf } from '../../../extension/evaluation/measure/make-report';
import type { MetricId } from '../../../extension/evaluation/measure/metrics';
import { asRespondent, type Respondent } from '../../../extension/evaluation/measure/probes/respondent';
import type { EvaluationReport } from '../../../extension/evaluation/measure/report';
import { contenderKey, type UnitId, type UnitLine } from '../../../extension/evaluation/measure/results';
import { libraryTasks } from '../../../extension/evaluation/measure/tasks/library';
import type { Task } from '../../../extension/evaluation/measure/tasks/task';
import { TruthOverTime } from '../../../extension/evaluation/measure/tasks/truth';
import { variationOf } from '../../../extension/evaluation/measure/tasks/variation';
import { headerOf, played, playSettings } from '../../builders/evaluation-play';

/** Tests that the harness can distinguish: keeping nothing scores low, and knowing everything scores full. */

const settings = { ...playSettings, every: { kind: 'tokens', count: 8_000 } } as const;

/** A respondent that knows the truth. It finds the current turn by the newest reply in the context. */
function oracle(task: Task, seed: number): Respondent {
  const variation = variationOf(task, seed);
  const truth = new TruthOverTime(variation);
  const now = (context: readonly ContextMessage[]) => {
    const text = textOfContext(context);
    const done = variation.turns.findLastIndex(({ reply }) => text.includes(reply)) + 1;
    return truth.after(done);
  };
  const given = <T>(value: T, text: string): Answer<T> => ({ kind: 'given', value, text, spent: nothingSpent });
  return asRespondent({
    id: { kind: 'reader', name: 'oracle' },
    goal: (context) => given(now(context).goal.said, now(context).goal.said),
    constraints: (context) => {
      const said = now(context).constraints.map((constraint) => constraint.said);
      return given(said, said.join('\n'));
    },
    action: (context, { options }) => {
      const aligned = now(context).actions.flatMap((action) =>
        action.options.filter(({ verdict }) => verdict === 'aligned'),
      );
      const texts = aligned.map(({ text }) => text);
      const option = options.findIndex((text) => texts.includes(text));
      return given({ kind: 'chosen', option, how: '' }, options[option] ?? '');
    },
  });
}

/** A task with the ground truth of another task, so the probes do not match the conversation. */
function shuffled(task: Task, other: Task): Task {
  const rules = other.constraints.map(({ signs }) => signs);
  const ended = [...other.finished, ...other.deadEnds].map(({ signs }) => signs);
  const at = <T>(list: readonly T[], index: number) => list[index % list.length] as T;
  return {
    ...task,
    goals: task.goals.map((goal, index) => ({ ...goal, signs: at(other.goals, index).signs })),
    constraints: task.constraints.map((rule, index) => ({ ...rule, signs: at(rules, index) })),
    finished: task.finished.map((item, index) => ({ ...item, signs: at(ended, index) })),
    deadEnds: task.deadEnds.map((item, index) => ({ ...item, signs: at(ended, index) })),
  };
}

async function measured(
  tasks: readonly Task[],
  contender: UnitId['contender'],
  { respondentOf, seeds = [1] }: { respondentOf?: (task: Task) => Respondent; seeds?: readonly number[] } = {},
): Promise<(metric: MetricId, compaction?: number) => number> {
  const units: UnitLine[] = [];
  for (const task of tasks) {
    const tools = respondentOf ? { respondent: respondentOf(task) } : {};
    for (const seed of seeds) units.push(await played(task, contender, { settings, tools, seed }));
  }
  const header = headerOf({ contenders: [contender], seeds }, units.length);
  return meansOf(reportOf({ header, units, texts: new Map() }), contenderKey(contender));
}

function meansOf({ cells }: EvaluationReport, key: string) {
  return (metric: MetricId, compaction: number | null = null) =>
    cells.find((cell) => cell.contender === key && cell.metric === metric && cell.compaction === compaction)?.estimate
      ?.mean ?? Number.NaN;
}

const everything = { strategy: 'no-compaction', core: 'none' } as const;
const nothing = { strategy: 'truncation', core: 'none' } as const;
const pinnedOnly = { strategy: 'truncation', core: 'pinned' } as const;

describe('the harness', { timeout: 180_000 }, () => {
  let tasks: readonly Task[];
  let meanOfEverything: (metric: MetricId, compaction?: number) => number;
  beforeAll(async () => {
    tasks = libraryTasks();
    meanOfEverything = await measured(tasks, everything, { seeds: [1, 2] });
  });

  it('gives full scores to an oracle', async () => {
    const mean = await measured(tasks, everything, { respondentOf: (task) => oracle(task, 1) });
    expect([mean('goal-survival'), mean('constraint-recall'), mean('alignment')]).toEqual([1, 1, 1]);
    expect([mean('violations'), mean('revivals'), mean('restarts'), mean('drift-events')]).toEqual([0, 0, 0, 0]);
  });

  it('gives high scores for keeping everything', () => {
    expect(meanOfEverything('constraints-held')).toBe(1);
    expect(meanOfEverything('artifact-recall')).toBe(1);
    expect(meanOfEverything('tokens-kept')).toBe(1);
  });

  it('finds 95 % for each question after each compaction if nothing is compacted', () => {
    for (const compaction of playSettings.probedAfter) {
      expect(meanOfEverything('goal-survival', compaction)).toBeGreaterThanOrEqual(0.95);
      expect(meanOfEverything('constraint-recall', compaction)).toBeGreaterThanOrEqual(0.95);
      expect(meanOfEverything('alignment', compaction)).toBeGreaterThanOrEqual(0.95);
    }
  });

  it('gives low scores for dropping the goal', async () => {
    const mean = await measured(tasks, nothing);
    expect(mean('goal-survival')).toBeLessThan(0.3);
    expect(mean('constraint-recall')).toBeLessThan(0.3);
    expect(mean('alignment')).toBeLessThan(0.45);
    expect(mean('drift-events')).toBeGreaterThan(0.3);
  });

  it('gives high goal and constraint scores for pinning the truth and dropping the rest', async () => {
    const mean = await measured(tasks, pinnedOnly);
    expect(mean('goal-survival')).toBe(1);
    expect(mean('constraints-held')).toBe(1);
  });

  it('gives chance scores for shuffled ground truth', async () => {
    const others = tasks.map((task, index) => shuffled(task, tasks[(index + 1) % tasks.length] ?? task));
    const mean = await measured(others, everything);
    const chance = 1 / 4;
    expect(Math.abs(mean('alignment') - chance)).toBeLessThan(0.05);
    expect(mean('goal-survival')).toBeLessThan(0.1);
    expect(mean('constraint-recall')).toBeLessThan(0.1);
  });
});

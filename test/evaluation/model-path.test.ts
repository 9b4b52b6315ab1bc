import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { rebuiltText } from '../../extension/engine/wording/localizable-text';
import { reportOf } from '../../extension/evaluation/measure/make-report';
import { modelJudge } from '../../extension/evaluation/measure/probes/judge';
import { modelRespondent } from '../../extension/evaluation/measure/probes/model-respondent';
import type { HeaderLine } from '../../extension/evaluation/measure/results';
import { playHere } from '../../extension/evaluation/play-here';
import { loadResults } from '../../extension/evaluation/results-file';
import { runEvaluation } from '../../extension/evaluation/run-evaluation';
import { openAiDefaults } from '../../extension/models/openai/client';
import { openAiModel } from '../../extension/models/openai/openai-model';
import { modelSummarizer } from '../../extension/summarizers/model/model-summarizer';
import { headerOf } from '../builders/evaluation-play';
import { smallTask } from '../builders/evaluation-task';
import { wordEmbedder } from '../builders/run';
import {
  type Asked,
  type Behaviour,
  fails,
  hangs,
  type ModelServer,
  says,
  startModelServer,
} from '../builders/scripted-model-server';

const folder = mkdtempSync(join(tmpdir(), 'strata-evaluation-model-'));
afterAll(() => rmSync(folder, { recursive: true }));
let server: ModelServer;
afterEach(() => server.close());

const contenders = [{ strategy: 'checkpoint', core: 'none' }] as const;
const header: HeaderLine = headerOf({ contenders, seeds: [1, 2], probedAfter: [1, 3] }, 2);
let run = 0;

async function evaluated(
  behaviour: Behaviour,
  options: { signal?: AbortSignal; timeoutMs?: number; path?: string } = {},
) {
  server = await startModelServer(behaviour);
  const model = openAiModel({
    ...openAiDefaults,
    baseUrl: server.baseUrl,
    model: 'scripted',
    apiKey: null,
    retries: 0,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
  run += 1;
  const path = options.path ?? join(folder, `${run}.jsonl`);
  const play = playHere([smallTask()], header.settings, {
    writing: { summarizer: modelSummarizer(model, { maxPromptTokens: 100_000 }), model, embedder: wordEmbedder },
    respondent: modelRespondent(model),
    judge: modelJudge(model),
  });
  const signal = options.signal ?? new AbortController().signal;
  const outcome = await runEvaluation({ header, path, play, keepsContexts: true, concurrency: 1, signal });
  return { outcome, path, asked: server.asked };
}

/** The kind of question in a request. */
function questionIn({ body }: Asked): 'point' | 'rating' | 'summary' {
  const text = JSON.stringify(body.messages);
  if (text.includes('Rate the proposal')) return 'rating';
  return text.includes('what is your current goal') ? 'point' : 'summary';
}

const summary = '## Goal\nBuild a ramp.\n## Progress\nParts were looked at.\n## Next Steps\nBuild.';

const point = {
  goal: 'build a ramp at the door',
  constraints: ['Never paint the north wall.'],
  settled: ['Sealing with wax failed.'],
  next: 'Cut the boards.',
  acts: [{ choice: 'A', call: 'saw boards' }],
};

const answers = { point: JSON.stringify(point), rating: '{"rating": 4, "reason": "fine"}', summary };

function answering(changes: Partial<typeof answers> = {}): Behaviour {
  return (response, asked) => says({ ...answers, ...changes }[questionIn(asked)])(response, asked);
}

describe('a run with a model', { timeout: 120_000 }, () => {
  it('asks everything about a context in one call, grades the answers and adds up their tokens', async () => {
    const { outcome, path, asked } = await evaluated(answering());
    expect(outcome).toMatchObject({ done: 2, failed: [] });
    const results = await loadResults(path);
    const [boundary] = results.units[0]?.boundaries ?? [];
    expect(boundary?.after.goal).toMatchObject({
      answer: 'build a ramp at the door',
      isTold: false,
      regressedTo: null,
    });
    expect(boundary?.after.constraints.truth.map(({ isRecalled }) => isRecalled)).toEqual([true, false]);
    expect(boundary?.after.goal.spent).toEqual({ input: 1234, output: 56 });
    expect(boundary?.cost.spent.input).toBeGreaterThan(0);
    const [late] = results.units[0]?.boundaries.slice(1) ?? [];
    expect(late?.after.goal.isTold).toBe(true);
    expect(late?.after.actions.map(({ rating }) => rating)).toEqual([4]);
    expect(late?.after.actions[0]?.options.map(({ likelihood }) => likelihood)).toEqual([1, 0, 0, 0]);
    expect(late?.after.actions[0]?.spent).toEqual({ input: 1234, output: 56 });
    expect(late?.after.next).toBe('Cut the boards.');
    expect(late?.after.settled?.truth.some(({ isRecalled }) => isRecalled)).toBe(true);
    expect(asked.filter((each) => questionIn(each) === 'point')).toHaveLength(8);
    const { cells } = reportOf(results);
    const rating = cells.find(({ metric, compaction }) => metric === 'rating' && compaction === null);
    expect(rating?.estimate).toMatchObject({ mean: 4, count: 2 });
  });

  it('hears a rule beside the remark that something does not change it', async () => {
    const rule = 'Never paint the north wall; a note says that this was dropped, which does not count.';
    const { path } = await evaluated(answering({ point: JSON.stringify({ ...point, constraints: [rule] }) }));
    const { constraints } =
      (await loadResults(path)).units[0]?.boundaries[0]?.after ?? expect.fail('nothing was asked');
    expect(constraints.truth.map(({ isRecalled }) => isRecalled)).toEqual([true, false]);
    expect(constraints.answer).toBe(rule);
  });

  it('asks once more after an unreadable answer, then leaves its probes out of every number', async () => {
    const { path, asked } = await evaluated(answering({ point: 'I am fine, thanks.' }));
    const results = await loadResults(path);
    const boundary = results.units[0]?.boundaries[1];
    expect(boundary?.after.goal.unusable).toBe('the answer has no JSON object');
    expect(boundary?.after.settled?.unusable).toBe('the answer has no JSON object');
    expect(boundary?.isDrift).toBeNull();
    expect(asked.filter((each) => questionIn(each) === 'point')).toHaveLength(16);
  });

  it('leaves out only the parts of an answer that are malformed', async () => {
    const broken = { ...point, goal: 7, acts: [{ choice: 'Z' }] };
    const { path, asked } = await evaluated(answering({ point: JSON.stringify(broken) }));
    const results = await loadResults(path);
    const boundary = results.units[0]?.boundaries[1];
    expect(boundary?.after.goal.unusable).toBe('the answer has no "goal"');
    expect(boundary?.after.actions[0]?.unusable).toContain('none of the 4 options');
    expect(boundary?.isDrift).toBeNull();
    expect(asked.filter((each) => questionIn(each) === 'point')).toHaveLength(8);
    expect(asked.filter((each) => questionIn(each) === 'rating')).toHaveLength(0);
    const report = reportOf(results);
    const count = (metric: string) =>
      report.cells.find((cell) => cell.metric === metric && cell.compaction === null)?.estimate?.count ?? 0;
    expect([count('goal-survival'), count('alignment'), count('constraint-recall')]).toEqual([0, 0, 4]);
    expect(report.unusable).toBe(12);
  });

  it('ignores a rating outside 1 to 5', async () => {
    const { path } = await evaluated(answering({ rating: '{"rating": 9}' }));
    const results = await loadResults(path);
    expect(results.units[0]?.boundaries[1]?.after.actions[0]?.rating).toBeNull();
  });

  it('does not write a unit with a failed call, reports the failure, and plays the unit in the next run', async () => {
    let calls = 0;
    const failing: Behaviour = (response, asked) => {
      calls += 1;
      (calls === 4 ? fails(500, 'out of order') : answering())(response, asked);
    };
    const { outcome, path } = await evaluated(failing);
    expect(outcome).toMatchObject({ done: 1, of: 2 });
    expect(outcome.failed.map(rebuiltText).join()).toMatch(/^small-task 1 checkpoint: .*out of order/s);
    server.close();
    const again = await evaluated(answering(), { path });
    expect(again.outcome).toMatchObject({ done: 2, failed: [] });
  });

  it('stops waiting for a model that hangs, by its time limit and by the signal', async () => {
    const { outcome } = await evaluated(hangs, { timeoutMs: 50 });
    expect(outcome.done).toBe(0);
    expect(outcome.failed).toHaveLength(2);
    server.close();
    const cancel = new AbortController();
    const waiting = evaluated(hangs, { signal: cancel.signal });
    setTimeout(() => cancel.abort(new Error('enough')), 50);
    await expect(waiting).rejects.toThrow('enough');
  });
});

import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { inspectionAsJson } from '../../../extension/cli/inspect';
import { runsOf } from '../../../extension/engine/journal/runs';
import { planUndo } from '../../../extension/engine/journal/undo';
import { strategyChoices } from '../../../extension/engine/run/prepare/registry';
import { previewView } from '../../../extension/host/panel/previews';
import { historyView } from '../../../extension/host/view/history';
import { SessionViewBuilder } from '../../../extension/host/view/session-view';
import type { Inspection } from '../../../extension/inspection/inspection';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { conversations } from '../../builders/arbitrary';
import { inspectTalk } from '../../builders/inspected';
import { inspectSample, prepareSample } from '../../builders/inspection';
import { smallParameters, wordEmbedder } from '../../builders/run';
import { forks, settings } from '../../builders/view-surroundings';

vi.mock('vscode', () => ({}));

/** Tests that the panel and the command line show the same for one session and journal. */

const shown = (inspection: Inspection) => new SessionViewBuilder().build(inspection, settings, forks);

function expectSameFigures(inspection: Inspection): void {
  const view = shown(inspection);
  const printed = inspectionAsJson(inspection);
  const { marks, points } = historyView(inspection);
  expect(printed.context.tokens.total).toBe(view.gauge.total);
  expect(printed.context.tokens.byKind).toEqual(view.gauge.byKind);
  if (points.length > 0) expect(points.at(-1)?.tokens).toBe(view.gauge.total);
  const byAgents = printed.compactions.filter((one) => 'by' in one && one.by === 'agent');
  expect(byAgents.map(({ tokensBefore, tokensAfter }) => [tokensBefore, tokensAfter])).toEqual(
    marks.filter(({ id }) => id.startsWith('agent:')).map(({ before, after }) => [before, after]),
  );
  const listed = view.compactions.filter(({ by, active }) => by === 'strata' && active);
  const runs = printed.compactions.flatMap((one) => ('blocks' in one ? [one] : []));
  expect(runs.map(({ seq }) => seq)).toEqual(listed.map(({ seq }) => seq));
  for (const [index, run] of runs.entries()) {
    const { blocks, ...entry } = listed[index] as (typeof listed)[number];
    const of = (figures: object) => JSON.stringify(figures);
    expect(of([run.tokensBefore, run.tokensAfter, run.inContext, run.tokensSpent, run.cacheTokensInvalidated])).toBe(
      of([entry.tokensBefore, entry.tokensAfter, entry.inContext, entry.tokensSpent, entry.cacheTokensInvalidated]),
    );
    expect(entry.summarizers).toEqual(['transparent']);
    const sizes = new Map(blocks.map((block) => [block.seq, [block.tokensBefore, block.tokensAfter]]));
    for (const block of run.blocks) expect(sizes.get(block.seq)).toEqual([block.tokensBefore, block.tokensAfter]);
    const mark = marks.find(({ id }) => id === entry.id);
    const isWhole = blocks.every(({ place }) => place !== 'undone');
    if (isWhole) expect([mark?.before, mark?.after]).toEqual([run.tokensBefore, run.tokensAfter]);
  }
  expect(marks.filter(({ id }) => id.startsWith('run:'))).toHaveLength(runsOf(inspection.state).length);
}

const strategies = fc.constantFrom(...strategyChoices().map(({ name }) => name));
const acts = fc.array(
  fc.oneof({ weight: 3, arbitrary: strategies }, fc.constantFrom('undo', 'redo', 'undo one block')),
  {
    minLength: 1,
    maxLength: 6,
  },
);

async function act(inspection: Inspection, what: string): Promise<void> {
  if (what === 'redo') return void (inspection.state.redoable.length > 0 && (await inspection.redo()));
  if (what === 'undo') return void (planUndo(inspection.state).kind === 'undoes' && (await inspection.undo()));
  if (what === 'undo one block') {
    const block = inspection.state.compactions.findLast(({ active }) => active);
    if (block) await inspection.undoBlock(block.record.seq);
    return;
  }
  const run = await inspection.prepare({
    ...{ strategy: what, instructions: null, parameters: smallParameters, signal: new AbortController().signal },
    tools: { ...toolsWithoutModel, embedder: wordEmbedder },
  });
  if (run.records.length === 0) return;
  const promised = previewView('1', run);
  await inspection.apply(run);
  const view = shown(inspection);
  const entry = view.compactions.findLast(({ by }) => by === 'strata');
  expect([entry?.tokensBefore, entry?.tokensAfter]).toEqual([promised.tokensBefore, promised.tokensAfter]);
  expect(view.gauge.total).toBe(promised.tokensAfter);
  expect(view.gauge.byKind).toEqual(promised.byKindAfter);
  expect(entry?.inContext).toEqual(promised.inContext);
  expect(entry?.lossText ?? null).toBe(promised.loss?.text ?? null);
  expect(entry?.tokensSpent).toEqual(promised.tokensSpent);
  expect(entry?.cacheTokensInvalidated).toBe(promised.cacheTokensInvalidated);
}

describe('the panel and the command line', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-02-01T00:00:00Z') }));

  it('say the same sizes, counts, losses and costs, which are those that the preview promised', () =>
    fc.assert(
      fc.asyncProperty(conversations, acts, async (conversation, steps) => {
        const inspection = await inspectTalk(conversation);
        for (const step of steps) {
          vi.advanceTimersByTime(60_000);
          await act(inspection, step);
          expectSameFigures(inspection);
        }
      }),
      { numRuns: 60 },
    ));

  it('say the same of a real session with runs over runs', async () => {
    const { inspection } = await inspectSample();
    for (const strategy of ['ladder', 'pipeline', 'checkpoint']) {
      vi.advanceTimersByTime(60_000);
      const run = await prepareSample(inspection, strategy, {
        ladder: { target: 0.2 },
        checkpoint: { keepRecentTokens: 2000 },
      });
      if (run.records.length > 0) await inspection.apply(run);
      expectSameFigures(inspection);
    }
    expect(runsOf(inspection.state).length).toBeGreaterThan(1);
    await inspection.undo();
    expectSameFigures(inspection);
  });

  it('names who wrote without a model: Strata, or a summarizer from outside', async () => {
    const { inspection } = await inspectSample();
    const own = { ...transparentSummarizer, name: 'house style' };
    for (const [strategy, tools] of [
      ['cleared', toolsWithoutModel],
      ['checkpoint', { ...toolsWithoutModel, summarizer: own }],
    ] as const) {
      const parameters = { cleared: { keepRecent: 0 }, checkpoint: { keepRecentTokens: 2000 } };
      const { signal } = new AbortController();
      const run = await inspection.prepare({ strategy, instructions: null, parameters, signal, tools });
      await inspection.apply(run);
    }
    expect(
      shown(inspection).compactions.flatMap(({ by, summarizers }) => (by === 'strata' ? summarizers : [])),
    ).toEqual(['transparent', 'house style']);
  });
});

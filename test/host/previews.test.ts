import * as l10n from '@vscode/l10n';
import { describe, expect, it, vi } from 'vitest';
import { type LanguageModel, ModelFailed } from '../../extension/engine/block/language-model';
import { findStrategy, type StrategyChoice } from '../../extension/engine/run/prepare/registry';
import { expectedWriting } from '../../extension/engine/run/prepare/run-sizes';
import { localizable } from '../../extension/engine/wording/localizable-text';
import { comparisonRow, newPreviews, previewView, writingCost } from '../../extension/host/panel/previews';
import { compareStrategy } from '../../extension/inspection/compare';
import type { Inspection } from '../../extension/inspection/inspection';
import type { TokenPrice } from '../../extension/models/prices';
import { modelSummarizer } from '../../extension/summarizers/model/model-summarizer';
import { toolsWithoutModel } from '../../extension/summarizers/without-model';
import { inspectSample, prepareSample } from '../builders/inspection';
import { obedient, scriptedSummaries } from '../builders/scripted-summaries';

// Strategy titles come from the settings module, which previews do not need.
vi.mock('vscode', () => ({}));

describe('a preview', () => {
  it('a preview can be read for its own session only, and its id is not reused', async () => {
    const [first, second] = [(await inspectSample()).inspection, (await inspectSample()).inspection];
    const previews = newPreviews();
    const run = await prepareSample(first);
    const id = previews.remember(first, run);
    const other = previews.remember(second, await prepareSample(second));
    expect(other).not.toBe(id);
    expect(previews.read(first, id)).toBe(run);
    expect(() => previews.read(second, id)).toThrow(/belongs to another session/);
  });

  it('a preview is forgotten after many newer ones, after it is applied, and when its session is closed', async () => {
    const inspection = (await inspectSample()).inspection;
    const previews = newPreviews();
    const run = await prepareSample(inspection);
    const [oldest = '', ...ids] = Array.from({ length: 41 }, () => previews.remember(inspection, run));
    expect(() => previews.read(inspection, oldest)).toThrow();
    for (const id of ids) expect(previews.read(inspection, id)).toBe(run);
    const [next = ''] = ids;
    previews.forget(next);
    expect(() => previews.read(inspection, next)).toThrow();
    previews.clear();
    for (const id of ids) expect(() => previews.read(inspection, id)).toThrow(/no longer exists/);
  });

  it('a preview has the failed calls of a model in the display language', async () => {
    l10n.config({ contents: { '{0} ended before its answer was complete.': '{0} brach ab.' } });
    const run = await prepareSample((await inspectSample()).inspection);
    const failed = { ...run, failures: [localizable('{0} ended before its answer was complete.', 'POST http://a')] };
    expect(previewView('1', failed).failures).toEqual(['POST http://a brach ab.']);
    l10n.config({ contents: {} });
  });

  it('offers no editable text for a block that a later block of it replaced', async () => {
    const run = await prepareSample((await inspectSample()).inspection);
    const { blocks, inContext } = previewView('1', run);
    const lies = blocks.filter(({ isBeneath }) => isBeneath);
    expect(inContext.beneath).toBe(lies.length);
    expect(inContext.blocks).toBe(run.after.messages.filter(({ block }) => block).length);
    expect(lies.length).toBeGreaterThan(0);
    expect(lies.map(({ editable }) => editable)).toEqual(lies.map(() => null));
    expect(blocks.some(({ editable }) => editable !== null)).toBe(true);
  });
});

describe('a strategy of a comparison', () => {
  const price = { input: 1, output: 5 };
  const costOf = (inspection: Inspection, strategy: string, asked: TokenPrice | null = price) =>
    writingCost(inspection, choiceNamed(strategy), { price: asked, parameters: {}, signal: AbortSignal.any([]) });

  it('says what a model would read and write for it, and nothing if no model writes its blocks', async () => {
    const { inspection } = await inspectSample();

    expect(await costOf(inspection, 'checkpoint')).toEqual({
      maxInput: expect.toSatisfy((tokens: number) => tokens > 50_000),
      output: expect.toSatisfy((tokens: number) => tokens > 500),
      price: expect.stringMatching(/about \$0\.\d\d/),
    });
    expect((await costOf(inspection, 'checkpoint', null))?.price).toBeNull();
    for (const strategy of ['prune', 'cleared', 'superseded', 'deterministic'])
      expect(await costOf(inspection, strategy), strategy).toBeNull();
    expect(await costOf(inspection, 'llm')).not.toBeNull();
  });

  it('says it for a run to the target for a model, which is lower than the one without a model', async () => {
    const { inspection } = await inspectSample();
    const { sent } = expectedWriting(await prepareSample(inspection, 'ladder'));

    expect((await costOf(inspection, 'ladder'))?.maxInput).toBeGreaterThan(sent);
  });

  it('that a model wrote names it, with its tokens, and is applied without another call', async () => {
    const { inspection } = await inspectSample();
    const { model, asked } = scriptedSummaries(obedient);
    const summarizer = modelSummarizer(model, { maxPromptTokens: 100_000 });
    const choice = choiceNamed('checkpoint');
    const order = { tools: { ...toolsWithoutModel, summarizer, model }, parameters: {}, signal: AbortSignal.any([]) };

    const compared = await compareStrategy(inspection, choice, order);
    const previews = newPreviews();
    const id = previews.remember(inspection, compared.run);
    const row = comparisonRow(id, compared);
    const calls = asked.length;
    await inspection.apply(previews.read(inspection, id));

    expect(row).toMatchObject({ previewId: id, summarizer: 'm', failures: [] });
    expect(row.tokensSpent).toEqual({ input: 1000 * calls, output: 101 * calls });
    expect([calls > 0, asked.length]).toEqual([true, calls]);
    expect(inspection.context.tokens.total).toBe(row.tokensAfter);
  });

  it('says why its model failed', async () => {
    const { inspection } = await inspectSample();
    const model: LanguageModel = {
      ...{ name: 'scripted', model: 'm', concurrency: 1 },
      complete: async () => {
        throw new ModelFailed('refused', localizable('The key is not known.'));
      },
    };
    const summarizer = modelSummarizer(model, { maxPromptTokens: 100_000 });
    const choice = choiceNamed('checkpoint');
    const order = { tools: { ...toolsWithoutModel, summarizer, model }, parameters: {}, signal: AbortSignal.any([]) };

    const row = comparisonRow('1', await compareStrategy(inspection, choice, order));

    expect(row.summarizer).toBeNull();
    expect(row.failures[0]).toContain('The key is not known.');
  });
});

function choiceNamed(name: string): StrategyChoice {
  const choice = findStrategy(name);
  if (!choice) throw new Error(`No strategy is called ${name}.`);
  return choice;
}

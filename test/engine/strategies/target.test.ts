import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { findStrategy, roomOf } from '../../../extension/engine/run/prepare/registry';
import type { RunInput } from '../../../extension/engine/run/prepare/run-input';
import { expectedWriting } from '../../../extension/engine/run/prepare/run-sizes';
import { modelSummarizer } from '../../../extension/summarizers/model/model-summarizer';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { talk, toolTurn } from '../../builders/conversation';
import { compact, wordEmbedder } from '../../builders/run';
import { obedient, scriptedSummaries } from '../../builders/scripted-summaries';

interface Full {
  readonly contextWindow?: number;
  readonly fixedTokens?: number;
  readonly contextTokens?: number;
  readonly besideTokens?: number;
  readonly parameters?: Readonly<Record<string, number>>;
}

function targetOf(asksModel: boolean, full: Full = {}, name = 'ladder'): number | undefined {
  const { contextWindow = 200_000, fixedTokens = 5000, besideTokens = 0, parameters = {} } = full;
  const size = {
    contextWindow,
    contextTokens: full.contextTokens ?? contextWindow,
    fixedTokens,
    besideTokens,
    asksModel,
  };
  const strategy = findStrategy(name);
  if (!strategy) throw new Error(`There is no strategy named ${name}.`);
  return roomOf(strategy, size, { [name]: parameters })?.targetTokens;
}

/** A turn whose output no later call replaces. */
const readTurn = (name: string) => toolTurn(name).filter((_, at) => at < 3);

describe('the target of a run', () => {
  for (const strategy of ['ladder', 'checkpoint', 'codex']) {
    it(`the target of a run is smaller if a model writes, for ${strategy}`, () => {
      expect(targetOf(false, {}, strategy)).toBe(100_000);
      expect(targetOf(true, { parameters: { keepRecentTokens: 20_000 } }, strategy)).toBe(30_000);
    });
  }

  it('leaves a model room for the newest steps beside the system prompt', () => {
    expect(targetOf(true, { fixedTokens: 35_000 })).toBe(55_000);
    expect(targetOf(true, { fixedTokens: 35_000, besideTokens: 8000 })).toBe(55_000);
    expect(targetOf(true, { fixedTokens: 35_000, parameters: { keepRecentTokens: 4000 } })).toBe(39_000);
  });

  it('the target of a run is half of a small window in any case', () => {
    expect(targetOf(true, { contextWindow: 32_000 })).toBe(targetOf(false, { contextWindow: 32_000 }));
  });

  it('the target of a run is the same share of what a run may remove from a smaller context', () => {
    expect(targetOf(true, { contextTokens: 105_000 })).toBe(20_000);
    expect(targetOf(false, { contextTokens: 105_000 })).toBe(55_000);
  });

  it('the target of a run is the one that a person chose, with or without a model', () => {
    for (const asksModel of [true, false]) {
      expect(targetOf(asksModel, { parameters: { target: 0.3 } })).toBe(60_000);
      expect(targetOf(asksModel, { parameters: { target: 40_000 } })).toBe(40_000);
    }
  });

  describe('for output that can be fetched again', () => {
    const turns = Array.from({ length: 60 }, (_, at) => `part-${at}`);
    const different = talk(turns.flatMap(readTurn));
    const cleared = async (conversation: Conversation, target: number, order: Partial<RunInput> = {}) => {
      const parameters = { ladder: { keepRecentTokens: 500, target }, cleared: { clearAtLeast: 1000 } };
      const usual = { strategy: 'ladder', parameters, contextWindow: 16_000, trigger: 'automatic' } as const;
      const { records, after } = await compact(conversation, { ...usual, ...order });
      return { strategies: new Set(records.map(({ strategy }) => strategy)), tokens: after.tokens.total };
    };

    it('the target for output that can be fetched again is smaller in an automatic run without a model, because each run costs the prompt cache', async () => {
      const [usual, chosen] = [await cleared(different, 0), await cleared(different, 0.5)];
      for (const { strategies } of [usual, chosen]) expect(strategies).toEqual(new Set(['cleared']));
      expect(chosen.tokens).toBeGreaterThan(6400);
      expect(usual.tokens).toBeLessThan(0.8 * chosen.tokens);
    });

    it('the target for output that can be fetched again is smaller even if the moment of the run was chosen by its cost', async () => {
      const byCost = await cleared(different, 0, { targetTokens: 8000 });
      expect(byCost.tokens).toBe((await cleared(different, 0)).tokens);
    });

    it('the target for output that can be fetched again is the target of the run if a person asked for it', async () => {
      const byHand = await cleared(different, 0, { trigger: 'manual' });
      expect(byHand.tokens).toBe((await cleared(different, 0.5, { trigger: 'manual' })).tokens);
    });

    it('the target for output that can be fetched again is smaller also after output that later calls replaced, if that alone reaches the target', async () => {
      const conversation = talk([...turns.slice(0, 6).flatMap(readTurn), ...turns.flatMap(() => readTurn('the-same'))]);
      const [usual, chosen] = [await cleared(conversation, 0), await cleared(conversation, 0.6)];
      expect(chosen.strategies).toEqual(new Set(['superseded']));
      expect(usual.strategies).toEqual(new Set(['superseded', 'cleared']));
      expect(usual.tokens).toBeLessThan(chosen.tokens);
    });
  });

  it('makes a model write if clearing alone would reach half of the window', async () => {
    const conversation = talk(Array.from({ length: 60 }, (_, at) => toolTurn(`part-${at}`)).flat());
    const order = { strategy: 'ladder', parameters: { ladder: { keepRecentTokens: 500 } }, contextWindow: 16_000 };
    const { model, asked } = scriptedSummaries(obedient);
    const summarizer = modelSummarizer(model, { maxPromptTokens: 100_000 });
    const tools = { summarizer, withoutModel: transparentSummarizer, model, embedder: wordEmbedder };
    const without = await compact(conversation, order);
    const written = await compact(conversation, { ...order, tools });
    expect(without.records.every(({ strategy }) => ['superseded', 'cleared'].includes(strategy))).toBe(true);
    expect(asked).not.toEqual([]);
    expect(written.after.tokens.total).toBeLessThan(0.5 * without.after.tokens.total);
    const estimated = await compact(conversation, { ...order, sizedForModel: true });
    expect(estimated.after.tokens.total).toBeLessThan(0.5 * without.after.tokens.total);
    expect(expectedWriting(estimated).sent).toBeGreaterThan(expectedWriting(without).sent);
  });
});

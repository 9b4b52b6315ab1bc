import { describe, expect, it } from 'vitest';
import { isRaw } from '../../../extension/engine/block/strategy';
import type { SummaryRequest } from '../../../extension/engine/block/summary';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { messageText } from '../../../extension/middleware/text';
import { modelSummarizer } from '../../../extension/summarizers/model/model-summarizer';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { assistant, call, injected, long, result, system, talk, toolTurn, user } from '../../builders/conversation';
import { compact, runInput, wordEmbedder } from '../../builders/run';
import { obedient, scriptedSummaries } from '../../builders/scripted-summaries';

/** Turns with a request, two steps and a closing reply each. */
function session(turns: number) {
  return talk(
    ...Array.from({ length: turns }, (_, at) => [
      user(`Please port part ${at} of the parser, and keep option ${at} as it is.`),
      call(`a${at}`, 'read', { path: `src/part-${at}.ts` }, `I read part ${at} first.`),
      result(`a${at}`, long(`Part ${at}.`, 12)),
      call(`b${at}`, 'bash', { command: `npm test part-${at}` }, `The cause in part ${at} is the missing check ${at}.`),
      result(`b${at}`, long(`Test ${at} passed.`, 6)),
      assistant(`Part ${at} is ported: I decided to use table ${at} because it is simpler.`),
    ]).flat(),
    user('And now?'),
  );
}

describe('the ladder at a tight target', () => {
  for (const targetTokens of [900, 1800, 3600]) {
    it(`fills the room up to ${targetTokens} tokens instead of falling far below it`, async () => {
      const run = await compact(session(120), { strategy: 'ladder', parameters: {}, targetTokens });
      expect(run.before.tokens.total).toBeGreaterThan(8 * targetTokens);
      expect(run.after.tokens.total).toBeLessThanOrEqual(targetTokens);
      expect(run.after.tokens.total).toBeGreaterThan(0.8 * targetTokens);
    });
  }

  it('compacts the notes of the agent’s program with the steps around them', async () => {
    const steps = Array.from({ length: 30 }, (_, at) => [
      call(`a${at}`, 'bash', { command: `npm test part-${at}` }, `Now part ${at}.`),
      result(`a${at}`, long(`Part ${at}.`, 12)),
      injected(`Hook ${at}: run the linter again.`),
    ]);
    const conversation = talk(user('Port all of it.'), injected('Skill: how to port.'), ...steps.flat());
    const run = await compact(conversation, { strategy: 'ladder', parameters: {}, targetTokens: 1800 });
    const texts = run.after.messages.map(messageText);
    const block = texts.findIndex((text) => text.startsWith('[SUMMARIZED]'));
    expect(texts[block - 1]).toBe('Skill: how to port.');
    expect(texts[block]).toMatch(/\[… \d+ program notes\]/);
    // The message right before the kept steps stays, because they may answer it.
    expect(texts[block + 1]).toMatch(/^Hook/);
    expect(texts[block + 2]).toMatch(/^Now part/);
  });

  for (const targetTokens of [1800, 3600, 7200]) {
    it(`asks a model for no block that the same run replaces, at ${targetTokens} tokens`, async () => {
      const { model, asked } = scriptedSummaries(obedient);
      const summarizer = modelSummarizer(model, { maxPromptTokens: 100_000 });
      const tools = { summarizer, withoutModel: transparentSummarizer, model, embedder: wordEmbedder };
      const run = await compact(session(40), { strategy: 'ladder', parameters: {}, targetTokens, tools });
      const replaced = new Set(run.records.flatMap(({ swallowed }) => swallowed));
      const paid = run.records.filter(({ summarizer: writer }) => writer.model !== null);
      expect(asked.length).toBeGreaterThan(0);
      expect(paid.length).toBeGreaterThan(0);
      expect(paid.filter(({ seq }) => replaced.has(seq))).toEqual([]);
      expect(run.after.tokens.total).toBeLessThanOrEqual(targetTokens);
    });
  }

  it('the ladder at a tight target has a block written again only together with newer messages', async () => {
    const { model } = scriptedSummaries((order) => {
      const steps = Array.from({ length: Math.floor(order.maxTokens / 12) }, (_, at) => `- I fixed step ${at}.`);
      return `${obedient(order)}\n${steps.join('\n')}`;
    });
    const summarizer = modelSummarizer(model, { maxPromptTokens: 100_000 });
    const tools = { summarizer, withoutModel: transparentSummarizer, model, embedder: wordEmbedder };
    const order = { strategy: 'ladder', parameters: {}, tools };
    for (const targetTokens of [1800, 3600, 7200]) {
      const first = await compact(session(120), { ...order, targetTokens });
      const state = foldJournal(first.records);
      for (const less of [50, 100, 200, 300, 400]) {
        const smaller = await compact(session(120), { ...order, state, targetTokens: first.after.tokens.total - less });
        expect(smaller.after.tokens.total).toBeLessThanOrEqual(first.after.tokens.total - less);
        const written = smaller.plans.filter((_, at) => smaller.records[at]?.summarizer.model !== null);
        for (const { turns } of written) expect(turns.flatMap(({ replaced }) => replaced).some(isRaw)).toBe(true);
      }
    }
  });

  for (const steps of [0, 3]) {
    it(`keeps blocks of a model if the system prompt alone is larger than the target, ${steps} steps into a turn`, async () => {
      const { model, asked } = scriptedSummaries(obedient);
      const summarizer = modelSummarizer(model, { maxPromptTokens: 100_000 });
      const tools = { summarizer, withoutModel: transparentSummarizer, model, embedder: wordEmbedder };
      const conversation = talk(
        system(long('You are an agent.', 300)),
        ...Array.from({ length: 12 }, (_, at) => toolTurn(`part-${at}`)).flat(),
        user('And now?'),
        ...Array.from({ length: steps }, (_, at) => [call(`z${at}`), result(`z${at}`, long('It is so.'))]).flat(),
      );
      const run = await compact(conversation, { strategy: 'ladder', parameters: {}, targetTokens: 1000, tools });
      expect(run.before.tokens.byKind.system).toBeGreaterThan(1000);
      expect(asked.length).toBeLessThan(4);
      const standing = run.records.filter(({ seq }) => run.after.messages.some(({ block }) => block?.seq === seq));
      expect(standing.map(({ summarizer: writer }) => writer.model)).not.toContain(null);
      expect(standing.length).toBeGreaterThan(0);
    });
  }

  for (const steps of [0, 3]) {
    const turns = 150;
    it(`describes ${turns} turns before a newest message that alone is larger than the target, ${steps} steps into its turn`, async () => {
      const output = long('Ran `cat build.log`.', 2400);
      const after = Array.from({ length: steps }, (_, at) => [call(`z${at}`), result(`z${at}`, long('It is so.'))]);
      const conversation = talk(session(turns).entries.slice(0, -1), user(output), after.flat());
      const run = await compact(conversation, { strategy: 'ladder', parameters: {}, targetTokens: 12_000 });
      const stays = run.after.messages.filter(({ block }) => !block).reduce((total, { tokens }) => total + tokens, 0);
      expect(stays).toBeGreaterThan(24_000);
      const blocks = run.after.messages.filter(({ block }) => block);
      const text = blocks.map(messageText).join('\n');
      expect(text).toContain(`Please port part ${turns - 1} of the parser, and keep option ${turns - 1} as it is.`);
      expect(text).not.toContain('left out to make room');
      const tokens = blocks.reduce((total, block) => total + block.tokens, 0);
      expect(tokens).toBeGreaterThan(1000);
      expect(tokens).toBeLessThan(stays / 8);
    });
  }

  it('batches finished turns at once, without blocks for each of them first', async () => {
    const runs = await Promise.all(
      [3800, 4200, 4600, 5000, 5400, 5800].map(async (targetTokens) => {
        const { model } = scriptedSummaries(obedient);
        const summarizer = modelSummarizer(model, { maxPromptTokens: 100_000 });
        const tools = { summarizer, withoutModel: transparentSummarizer, model, embedder: wordEmbedder };
        const { records } = await compact(session(40), { strategy: 'ladder', parameters: {}, targetTokens, tools });
        return records.filter(({ summarizer: writer }) => writer.model !== null).map(({ summaryType }) => summaryType);
      }),
    );
    const batched = runs.filter((types) => types.includes('goal_batch'));
    expect(batched.length).toBeGreaterThan(0);
    for (const types of batched) expect(new Set(types)).toEqual(new Set(['goal_batch']));
  });

  it('asks for a block over entries in the order of the conversation, whatever blocks replaced them before', async () => {
    const requests: SummaryRequest[] = [];
    const summarizer = {
      ...transparentSummarizer,
      summarize: (request: SummaryRequest, signal: AbortSignal) => {
        requests.push(request);
        return transparentSummarizer.summarize(request, signal);
      },
    };
    const conversation = session(12);
    const { tools } = runInput(conversation);
    await compact(conversation, {
      strategy: 'ladder',
      parameters: {},
      targetTokens: 700,
      tools: { ...tools, summarizer },
    });
    const places = new Map(conversation.entries.map(({ id }, place) => [id, place]));
    const orders = requests.map(({ turns }) => turns.flatMap(({ entries }) => entries.map(({ id }) => places.get(id))));
    expect(Math.max(...orders.map((order) => order.length))).toBeGreaterThan(30);
    for (const order of orders) expect(order).toEqual(order.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
  });
});

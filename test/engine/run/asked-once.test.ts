import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Summarizer, SummaryRequest } from '../../../extension/engine/block/summary';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { assistant, call, long, result, talk, user } from '../../builders/conversation';
import { compact, wordEmbedder } from '../../builders/run';

/** A model whose text fills this share of its room. */
function modelThatFills(share: number): Summarizer {
  const bodyOf = ({ sections, maxTokens, countTokens }: SummaryRequest) => {
    let body = sections.map((name) => `## ${name}\nThe work on the program is done.\n`).join('');
    while (countTokens(body) < maxTokens * share) body += '- A line about what was done so far in the work.\n';
    return body;
  };
  return {
    ...{ name: 'model', model: 'model', concurrency: 1 },
    summarize: async (request) => ({
      ...{ body: bodyOf(request), spans: [], promptHash: null },
      tokensSpent: { input: 100, output: 100 },
    }),
  };
}

const turn = fc.record({
  steps: fc.integer({ min: 0, max: 8 }),
  output: fc.integer({ min: 1, max: 150 }),
  prompt: fc.integer({ min: 1, max: 60 }),
  reply: fc.integer({ min: 1, max: 60 }),
});

it('a model that writes no more than it may is asked by one rung, and never about its own block', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 6, maxLength: 12 }),
      fc.double({ min: 0.05, max: 0.4, noNaN: true }),
      fc.integer({ min: 200, max: 2000 }),
      fc.double({ min: 0.3, max: 0.8, noNaN: true }),
      async (turns, target, keepRecentTokens, share) => {
        const conversation = talk(
          turns.flatMap(({ steps, output, prompt, reply }, at) => [
            user(long(`Do part ${at}.`, prompt)),
            ...Array.from({ length: steps }, (_, step) => [
              call(`c${at}-${step}`),
              result(`c${at}-${step}`, long(`Output ${at} of step ${step}.`, output)),
            ]).flat(),
            assistant(long(`Done ${at}.`, reply)),
          ]),
        );
        const tools = {
          embedder: wordEmbedder,
          summarizer: modelThatFills(share),
          model: null,
          withoutModel: transparentSummarizer,
        };
        const parameters = { ladder: { target, keepRecentTokens } };
        const run = await compact(conversation, { strategy: 'ladder', contextWindow: 20_000, parameters, tools });
        const written = run.records.filter(({ summarizer }) => summarizer.model !== null);
        expect(new Set(written.map(({ strategy }) => strategy)).size).toBeLessThanOrEqual(1);
        expect(written.flatMap(({ swallowed = [] }) => swallowed)).toEqual([]);
      },
    ),
    { numRuns: 150, endOnFailure: true },
  );
}, 60_000);

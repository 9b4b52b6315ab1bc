import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelFailed } from '../../../extension/engine/block/language-model';
import { observationTypes } from '../../../extension/engine/block/memory';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { observationsStrategy } from '../../../extension/engine/strategies/memory';
import { conversations } from '../../builders/arbitrary';
import { call, long, result, type Said, talk, toolTurn, user } from '../../builders/conversation';
import { compact } from '../../builders/run';
import {
  answers,
  askedFor,
  goodModel,
  observation,
  orderOf,
  registered,
  ScriptedModel,
  WordEmbedder,
  write,
} from '../memory/builders';

const work: Conversation = talk(
  user('Fix the loader.'),
  toolTurn('loader'),
  toolTurn('parser'),
  user('Now the tests of the loader.'),
);

function edits(count: number): Said[] {
  return Array.from({ length: count }, (_, at) => [
    call(`c${at}`, 'edit', { path: `src/${at}.ts`, old_string: long('old', 3), new_string: long('new', 3) }),
    result(`c${at}`, 'ok'),
  ]).flat();
}

describe('observations without a model', () => {
  it('lists observations as index lines, with the cost of reading and the saving', async () => {
    const { body, memory, writer } = await write(observationsStrategy, work);
    const [first, second] = memory.observations;
    expect(body.split('\n')).toEqual([
      'Observations: the newest 2 of 2 are listed. New: 2 by extraction.',
      expect.stringMatching(
        /^Reading the listed observations costs \d+ tokens; the work they stand for took \d+; that saves \d+\.$/,
      ),
      'Each is stored in the journal and can be fetched by its id (`strata recall`).',
      '## Sessions',
      `- ${memory.summaries[0]?.id} 2026-01-01 00:00 session: Please work on parser. Please work on loader. Fix the loader.`,
      '  asked: Please work on parser. Please work on loader. Fix the loader.',
      '  done: I fixed parser because it was broken. src/parser.ts src/loader.ts',
      '## Observations',
      `- ${first?.id} 2026-01-01 00:00 change: changed src/loader.ts`,
      `- ${second?.id} 2026-01-01 00:00 change: changed src/parser.ts`,
    ]);
    expect(writer).toEqual({ name: 'observations', model: null });
  });

  it('shows the newest 50 and 10, and stores all', async () => {
    const earlier = Array.from({ length: 70 }, (_, at) => observation(`o-${at}`, { title: `t${at}` }));
    const { body, memory } = await write(observationsStrategy, work, {
      remembered: [{ notes: [], observations: earlier, summaries: [] }],
      request: { maxTokens: 10_000 },
    });
    expect(body.match(/^- o-/gm)).toHaveLength(50);
    expect(body).toContain('the newest 50 of 72');
    expect(body).not.toContain('- o-21 ');
    expect(body).toContain('- o-22 ');
    expect(memory.observations).toHaveLength(2);
  });

  it('says how much older work has no observation', async () => {
    const { body, memory } = await write(observationsStrategy, talk(user('Go on.'), edits(8), user('More.')), {
      parameters: { observationsPerBlock: 5 },
    });
    expect(memory.observations.map(({ filesModified }) => filesModified[0])).toEqual(
      [3, 4, 5, 6, 7].map((at) => `src/${at}.ts`),
    );
    expect(body).toContain('3 older pieces of work got none.');
  });

  it('does not observe the same work again', async () => {
    const first = await write(observationsStrategy, work);
    const { memory } = await write(observationsStrategy, work, { remembered: [first.memory] });
    expect(memory.observations).toEqual([]);
  });

  it('embeds nothing, because an index is not searched', async () => {
    const embedder = new WordEmbedder();
    await write(observationsStrategy, work, { embedder });
    expect(embedder.asked).toEqual([]);
  });
});

describe('observations with a model', () => {
  it('asks it to observe each piece of work and to summarise the session', async () => {
    const model = goodModel();
    const { memory, tokensSpent } = await write(observationsStrategy, work, { model });
    expect(memory.observations[0]).toMatchObject({ by: 'model', title: 'The loader keeps its keys', type: 'bugfix' });
    expect(memory.summaries[0]).toMatchObject({
      request: 'Fix the loader',
      learned: 'It drops keys',
      nextSteps: 'None',
    });
    expect(model.prompts.map(askedFor)).toEqual(['observation', 'observation', 'summary']);
    expect(tokensSpent.input).toBe(300);
  });

  it('stores nothing that the model calls routine', async () => {
    const { memory } = await write(observationsStrategy, work, { model: goodModel({ observation: answers.nothing }) });
    expect(memory.observations).toEqual([]);
  });

  it('falls back to extraction on unusable answers and failures, and says so', async () => {
    const garbage = await write(observationsStrategy, work, {
      model: goodModel({ observation: '{"observation": 7}' }),
    });
    expect(garbage.body).toContain('New: 2 by extraction (2 of 3 requests to the model failed)');
    const failing = new ScriptedModel(() => {
      throw new ModelFailed('timeout', 'too slow');
    });
    const { memory } = await write(observationsStrategy, work, { model: failing });
    expect(memory.observations.map(({ by }) => by)).toEqual(['extraction', 'extraction']);
    expect(memory.summaries[0]?.request).toContain('Fix the loader.');
  });

  it('never shows a secret file to a model', async () => {
    const secret = [call('s', 'write', { path: '.env', content: 'TOKEN=abcdef' }), result('s', long('ok'))];
    const model = goodModel();
    const { memory } = await write(observationsStrategy, talk(user('Set up.'), secret, user('More.')), { model });
    expect(JSON.stringify(model.prompts)).not.toContain('abcdef');
    expect(memory.observations[0]).toMatchObject({ type: 'sensitive', by: 'extraction' });
  });
});

describe('rules of observations', () => {
  it('rules of observations hold for random conversations: real entries, known types, bounded, deterministic', () =>
    fc.assert(
      fc.asyncProperty(conversations, async (conversation) => {
        const order = orderOf(observationsStrategy, conversation, { request: { maxTokens: 300 } });
        if (order === null) return;
        const block = await observationsStrategy.write?.(order);
        const replaced = new Set(
          order.plan.turns.flatMap(({ replaced }) => replaced.flatMap(({ entryIds }) => entryIds)),
        );
        for (const seen of block?.memory?.observations ?? []) {
          expect(observationTypes).toContain(seen.type);
          expect(seen.entryIds.every((id) => replaced.has(id))).toBe(true);
          expect(seen.concepts.length).toBeGreaterThanOrEqual(2);
          expect(seen.discoveryTokens).toBeGreaterThan(0);
        }
        expect(order.request.countTokens(block?.body ?? '')).toBeLessThanOrEqual(300);
        expect(await observationsStrategy.write?.(order)).toEqual(block);
      }),
      { numRuns: 60 },
    ));
});

describe('run with observations', () => {
  it('stores observations and summary in the record', async () => {
    const strategy = registered(observationsStrategy);
    const { records } = await compact(work, { strategy, parameters: { observations: { keepRecentTokens: 0 } } });
    expect(records[0]?.summaryType).toBe('observations');
    expect(records[0]?.memory).toMatchObject({ notes: [], observations: [{}, {}], summaries: [{}] });
  });
});

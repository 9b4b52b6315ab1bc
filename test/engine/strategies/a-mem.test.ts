import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ModelFailed } from '../../../extension/engine/block/language-model';
import { type Memory, mergeMemories, type Note } from '../../../extension/engine/block/memory';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { aMemStrategy } from '../../../extension/engine/strategies/memory';
import { conversations } from '../../builders/arbitrary';
import { assistant, long, talk, toolTurn, user } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';
import { answers, askedFor, goodModel, note, orderOf, registered, ScriptedModel, write } from '../memory/builders';

const work: Conversation = talk(
  user('Make the loader faster. Never touch the public API.'),
  toolTurn('loader'),
  toolTurn('parser'),
  toolTurn('cache'),
  user('Now the tests of the loader.'),
);

const firstLine = (body: string) => body.split('\n')[0] ?? '';

describe('a-mem without a model', () => {
  it('replaces everything before the newest turns by notes relevant to the goal', async () => {
    const { body, writer, tokensSpent, promptHash, memory } = await write(aMemStrategy, work);
    expect(firstLine(body)).toBe('Notes: 10 of 10 recalled for the current goal. New: 10 by extraction.');
    expect(body).toContain('Never touch the public API.');
    expect(body).toContain('`src/loader.ts` was changed with edit');
    expect(writer).toEqual({ name: 'a-mem', model: null });
    expect({ tokensSpent, promptHash }).toEqual({ tokensSpent: { input: 0, output: 0 }, promptHash: null });
    expect(memory.notes.every(({ by, retrievals }) => by === 'extraction' && retrievals === 1)).toBe(true);
  });

  it('dates a recall by the newest entry before the block', async () => {
    const { memory } = await write(aMemStrategy, work);
    expect(new Set(memory.notes.map(({ lastRetrieved }) => lastRetrieved))).toEqual(
      new Set(['2026-01-01T00:00:18.000Z']),
    );
  });

  it('recalls the outer requests, and what is nearest to the live goal', async () => {
    const parameters = { retrieved: 2, linkAtPercent: 200 };
    const { body } = await write(aMemStrategy, work, {
      parameters,
      request: { liveGoal: 'I fixed cache because it was broken.' },
    });
    expect(body).toContain('Never touch the public API.');
    expect(body).toContain('Please work on cache.');
  });

  it('states the first and the newest request first, however little it recalls', async () => {
    const steps = ['loader', 'parser', 'cache', 'writer'].flatMap(toolTurn);
    const changing = talk(
      user('Move the billing database to Postgres.'),
      steps,
      user('Change of plan, sorry. Only the invoice tables move this quarter.'),
      steps,
      user('Sort the imports.'),
      steps,
      user('Go on.'),
    );
    const { body } = await write(aMemStrategy, changing, { parameters: { retrieved: 1, linkAtPercent: 200 } });
    const [, ...lines] = body.split('\n');
    expect(lines[0]).toBe('## First and newest request');
    expect(lines[1]).toContain('Move the billing database to Postgres.');
    expect(lines[2]).toContain('Please work on writer.');
  });

  it('leaves out what the protected core contains word for word', async () => {
    const core = {
      original_goal: null,
      current_goal: null,
      hard_constraints: ['Make the loader faster. Never touch the public API.'],
      key_decisions: [],
    };
    const { body, memory } = await write(aMemStrategy, work, { request: { core } });
    expect(body).not.toContain('Never touch the public API.');
    expect(memory.notes.some(({ content }) => content.endsWith('Never touch the public API.'))).toBe(true);
  });

  it('recalls notes of earlier blocks too, and stores only those it changed', async () => {
    const old = [note('n-old', { content: 'the loader reads toml' }), note('n-far', { content: 'weather snow rain' })];
    const { body, memory } = await write(aMemStrategy, work, {
      parameters: { retrieved: 5 },
      remembered: [{ notes: old, observations: [], summaries: [] }],
      request: { liveGoal: 'the loader reads toml' },
    });
    expect(body).toContain('the loader reads toml');
    expect(memory.notes.find(({ id }) => id === 'n-old')?.retrievals).toBe(1);
    expect(memory.notes.some(({ id }) => id === 'n-far')).toBe(false);
  });

  it('makes no second note of the same thing', async () => {
    const first = await write(aMemStrategy, work);
    const second = await write(aMemStrategy, work, { remembered: [first.memory] });
    const all = mergeMemories([first.memory, second.memory]).notes;
    expect(all).toHaveLength(first.memory.notes.length);
    expect(all.every(({ retrievals }) => retrievals === 2)).toBe(true);
  });
});

describe('a-mem with a model', () => {
  it('asks it to describe every note and decide on its neighbours, and counts the cost', async () => {
    const model = goodModel();
    const { body, memory, tokensSpent, promptHash, writer } = await write(aMemStrategy, work, { model });
    expect(firstLine(body)).toContain('New: 10 by scripted-1.');
    expect(memory.notes[0]).toMatchObject({ by: 'model', keywords: ['loader', 'keys', 'toml'], tags: ['a', 'b', 'c'] });
    const asked = model.prompts.map(askedFor);
    expect(asked.filter((what) => what === 'note')).toHaveLength(10);
    expect(asked.filter((what) => what === 'evolution')).toHaveLength(10);
    expect(tokensSpent).toEqual({ input: 2000, output: 200 });
    expect(promptHash).toMatch(/^[0-9a-f]{64}$/);
    expect(writer).toEqual({ name: 'a-mem', model: 'scripted-1' });
  });

  it('falls back to extraction for unusable answers, and says how many', async () => {
    let notes = 0;
    const model = new ScriptedModel((prompt) => {
      if (askedFor(prompt) === 'evolution') return answers.noEvolution;
      notes += 1;
      return notes === 2 ? 'I would rather not.' : answers.note;
    });
    const { body, memory } = await write(aMemStrategy, work, { model });
    expect(firstLine(body)).toContain('New: 9 by scripted-1, 1 by extraction (1 of 20 requests to the model failed)');
    expect(memory.notes.filter(({ by }) => by === 'extraction')).toHaveLength(1);
  });

  it('stops asking after three failures in a row, and still writes the block', async () => {
    const model = new ScriptedModel(() => {
      throw new ModelFailed('unavailable', 'nobody there');
    });
    const { body, memory } = await write(aMemStrategy, work, { model });
    expect(model.prompts.length).toBeLessThanOrEqual(4);
    expect(firstLine(body)).toContain('it was not asked again after 3 failures in a row');
    expect(memory.notes.every(({ by }) => by === 'extraction')).toBe(true);
  });

  it('rejects with errors that are not failures of the model', async () => {
    const model = new ScriptedModel(() => {
      throw new TypeError('a defect');
    });
    await expect(write(aMemStrategy, work, { model })).rejects.toThrow('a defect');
  });

  it('stops on abort', async () => {
    const controller = new AbortController();
    const model = new ScriptedModel(() => {
      controller.abort(new Error('enough'));
      throw new ModelFailed('timeout', 'aborted');
    });
    await expect(write(aMemStrategy, work, { model, signal: controller.signal })).rejects.toThrow('enough');
    expect(model.prompts).toHaveLength(1);
  });
});

describe('rules of a-mem', () => {
  async function written(conversation: Conversation) {
    const order = orderOf(aMemStrategy, conversation, { parameters: { retrieved: 3, notesPerBlock: 12 } });
    return order === null ? null : { order, block: await aMemStrategy.write?.(order) };
  }

  function rule(sentence: string, holds: (made: Written) => void | Promise<void>): void {
    it(sentence, () =>
      fc.assert(
        fc.asyncProperty(conversations, async (conversation) => {
          const made = await written(conversation);
          if (made?.block)
            await holds({ conversation, ...made, notes: made.block.memory?.notes ?? [], body: made.block.body });
        }),
        { numRuns: 60 },
      ),
    );
  }

  interface Written {
    readonly conversation: Conversation;
    readonly notes: readonly Note[];
    readonly body: string;
    readonly order: NonNullable<ReturnType<typeof orderOf>>;
  }

  rule('links by similarity go both ways, and never to the note itself', ({ notes }) => {
    const byId = new Map(notes.map((one) => [one.id, one]));
    for (const { id, links } of notes) {
      expect(links).not.toContain(id);
      expect(new Set(links).size).toBe(links.length);
      for (const link of links) expect(byId.get(link)?.links).toContain(id);
    }
  });

  rule('every note comes from entries that the block replaces', ({ notes, order }) => {
    const replaced = new Set(order.plan.turns.flatMap((turn) => turn.replaced.flatMap(({ entryIds }) => entryIds)));
    for (const { entryIds } of notes) {
      expect(entryIds.length).toBeGreaterThan(0);
      for (const id of entryIds) expect(replaced).toContain(id);
    }
  });

  rule('a hit brings its linked notes along, where there is room', async ({ body, notes, order }) => {
    const { block } = {
      block: await aMemStrategy.write?.({ ...order, request: { ...order.request, maxTokens: 100_000 } }),
    };
    const shown = new Set([...(block?.body ?? '').matchAll(/^- (n-\w+)/gm)].map(([, id]) => id));
    const hits = notes.filter(({ id }) => shown.has(id));
    if (notes.length > 0) expect(hits.length).toBeGreaterThanOrEqual(Math.min(3, notes.length));
    const complete = hits.filter(({ links }) => links.every((link) => shown.has(link)));
    if (hits.length > 0) expect(complete.length).toBeGreaterThanOrEqual(Math.min(3, hits.length));
    expect(body.length).toBeGreaterThan(0);
  });

  rule('the notes are bounded, and so is the block', ({ body, notes, order }) => {
    const { countTokens, maxTokens } = order.request;
    expect(notes.length).toBeLessThanOrEqual(12);
    expect(countTokens(body)).toBeLessThanOrEqual(Math.max(maxTokens, countTokens(firstLine(body))));
  });

  it('gives the same block and memory for the same input', () =>
    fc.assert(
      fc.asyncProperty(conversations, async (conversation) => {
        expect((await written(conversation))?.block).toEqual((await written(conversation))?.block);
      }),
      { numRuns: 30 },
    ));
});

describe('run with a-mem', () => {
  const strategy = registered(aMemStrategy);
  const parameters = { 'a-mem': { keepRecentTokens: 0 } };

  it('stores the memory in the record, tags the block, and is undone byte for byte', async () => {
    const { records, after } = await compact(work, { strategy, parameters });
    expect(records[0]).toMatchObject({ summaryType: 'a_mem', summarizer: { name: 'a-mem', model: null } });
    expect(records[0]?.text.startsWith('[SUMMARIZED]\nNotes: ')).toBe(true);
    expect(records[0]?.memory?.notes).toHaveLength(10);
    expect(after.tokens.total).toBeLessThan(contextOf(work).tokens.total);
  });

  it('carries over the memory of a swallowed block', async () => {
    const young = work;
    const old = talk(work.entries, toolTurn('writer'), [
      assistant('I found that the tests are slow.'),
      user(long('Go on.')),
    ]);
    const parameters = { 'a-mem': { keepRecentTokens: 0, retrieved: 4 } };
    const first = await compact(young, { strategy, parameters });
    const second = await compact(old, { strategy, parameters, state: foldJournal(first.records) });
    const memories = [...first.records, ...second.records].flatMap(({ memory }): Memory[] => (memory ? [memory] : []));
    expect(second.records[0]?.swallowed).toHaveLength(1);
    expect(mergeMemories(memories).notes.length).toBeGreaterThan(first.records[0]?.memory?.notes.length ?? 0);
    const early = first.records[0]?.memory?.notes ?? [];
    expect(early.some(({ id }) => second.records[0]?.text.includes(`- ${id}`))).toBe(true);
  });
});

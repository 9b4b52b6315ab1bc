import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../../extension/engine/conversation/entry';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import type { JournalRecord } from '../../../extension/engine/journal/records';
import { hybridStrategy } from '../../../extension/engine/strategies/memory';
import { conversations } from '../../builders/arbitrary';
import { talk, toolTurn, user } from '../../builders/conversation';
import { compact } from '../../builders/run';
import { goodModel, orderOf, registered, write } from '../memory/builders';

const work = talk(
  user('Fix the loader.'),
  user('And take care. Never touch the public API.'),
  toolTurn('loader'),
  toolTurn('parser'),
  toolTurn('cache'),
  toolTurn('writer'),
  user('Now the tests of the loader.'),
);

function pin(text: string): JournalRecord {
  const item = {
    id: 'p',
    kind: 'constraint',
    text,
    rationale: null,
    timestamp: '',
    entryId: null,
    status: 'active',
  } as const;
  return { kind: 'pin', seq: 0, time: '', item };
}

describe('hybrid', () => {
  it('writes notes and an index of observations, and stores both', async () => {
    const { body, memory, writer } = await write(hybridStrategy, work, { request: { maxTokens: 1200 } });
    expect(body).toMatch(/^Notes: \d+ of 14 recalled/);
    expect(body).toContain('\n\nObservations: the newest 4 of 4 are listed.');
    expect(memory.notes.length).toBeGreaterThan(0);
    expect(memory.observations).toHaveLength(4);
    expect(memory.summaries).toHaveLength(1);
    expect(writer.name).toBe('hybrid');
  });

  it('leaves out what the protected core contains', async () => {
    const strategy = registered(hybridStrategy);
    const state = foldJournal([pin('And take care. Never touch the public API.')]);
    const { after, records } = await compact(work, {
      strategy,
      state,
      parameters: { hybrid: { keepRecentTokens: 0 } },
    });
    const context = after.messages.map(({ parts }) => textOf(parts)).join('\n');
    expect(records[0]?.text).not.toContain('Never touch the public API.');
    expect(context.split('Never touch the public API.')).toHaveLength(2);
  });

  it('asks a model for both, and adds up the cost', async () => {
    const model = goodModel();
    const { tokensSpent } = await write(hybridStrategy, work, { model });
    expect(tokensSpent).toEqual({ input: model.prompts.length * 100, output: model.prompts.length * 10 });
    expect(model.prompts.length).toBeGreaterThan(2 * 15);
  });

  it('keeps its limits and is deterministic for random conversations', () =>
    fc.assert(
      fc.asyncProperty(conversations, async (conversation) => {
        const order = orderOf(hybridStrategy, conversation, { request: { maxTokens: 400 } });
        if (order === null) return;
        const block = await hybridStrategy.write?.(order);
        expect(order.request.countTokens(block?.body ?? '')).toBeLessThanOrEqual(400);
        expect(await hybridStrategy.write?.(order)).toEqual(block);
      }),
      { numRuns: 60 },
    ));
});

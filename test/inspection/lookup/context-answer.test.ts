import { describe, expect, it } from 'vitest';
import { answerContext } from '../../../extension/inspection/lookup/context-answer';
import { answerLoss } from '../../../extension/inspection/lookup/loss-answer';
import { answerRecall } from '../../../extension/inspection/lookup/recall-answer';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { inspect, searching } from './opened';

async function compacted(sample: 'pi' | 'claude' | 'uncompacted') {
  const inspection = await inspect(sample);
  const order = { instructions: null, tools: toolsWithoutModel, signal: new AbortController().signal };
  const parameters = { checkpoint: { keepRecentTokens: 500 } };
  await inspection.apply(await inspection.prepare({ ...order, strategy: 'checkpoint', parameters }));
  return inspection;
}

describe('what is in a context', () => {
  it('has the same numbers as the context, and the largest messages with ids that can be fetched', async () => {
    const inspection = await inspect('uncompacted');
    const { ledger, context } = inspection;
    const answer = answerContext(inspection, { tokens: 4000, count: ledger.countText });
    expect(answer).toContain(`${context.tokens.total} of ${inspection.contextWindow} tokens`);
    expect(answer).toContain('Nothing was compacted.');
    const listed = [...answer.matchAll(/^- [a-z ]+: (\d+)$/gm)].map(([, tokens]) => Number(tokens));
    expect(listed.reduce((sum, tokens) => sum + tokens, 0)).toBe(context.tokens.total);
    const [, id = '', tokens] = /Largest messages:\n- ([a-z]{6}) \w+, (\d+) tokens/.exec(answer) ?? [];
    const conversation = context.messages.filter(({ kind }) => kind !== 'system' && kind !== 'core');
    expect(Number(tokens)).toBe(Math.max(...conversation.map((message) => message.tokens)));
    const whole = await answerRecall(
      inspection,
      { kind: 'fetch', ids: [id] },
      { tokens: 8000, count: ledger.countText },
      searching(),
    );
    expect(whole).toContain(`--- ${id} `);
  });

  it('names the compactions in effect, of Strata and of the agent', async () => {
    const inspection = await compacted('uncompacted');
    const budget = { tokens: 4000, count: inspection.ledger.countText };
    const [{ record } = { record: null }] = inspection.state.compactions;
    expect(answerContext(inspection, budget)).toContain(
      `- #${record?.seq} checkpoint, ${record?.time.slice(0, 10)} ${record?.time.slice(11, 16)}: ${record?.entryIds.length} messages, ${record?.contextTokens?.before} → ${inspection.context.tokens.total} tokens`,
    );
    expect(answerContext(await inspect('claude'), budget)).toMatch(/- the agent’s own \(summary\), .*: \d+ messages/);
  });

  it('fits its budget', async () => {
    const inspection = await compacted('uncompacted');
    const { countText: count } = inspection.ledger;
    for (const tokens of [40, 100, 250]) {
      expect(count(answerContext(inspection, { tokens, count }))).toBeLessThanOrEqual(tokens);
      expect(count(answerLoss(inspection, null, { tokens, count }))).toBeLessThanOrEqual(tokens);
    }
  });
});

describe('what the last compaction lost', () => {
  it('lists what the loss report of the newest run has, with ids that lead to the words', async () => {
    const inspection = await compacted('uncompacted');
    const { countText: count } = inspection.ledger;
    const answer = answerLoss(inspection, null, { tokens: 8000, count });
    const record = inspection.state.compactions.at(-1)?.record;
    expect(answer).toContain(`Compaction #${record?.seq} (checkpoint)`);
    const listed = record?.loss?.outputs.largest.map(({ text }) => text) ?? [];
    expect(listed.length).toBeGreaterThan(0);
    const line = answer.split('\n').find((each) => each.startsWith('- output of '));
    const [, name = '', id = ''] = /^- output of \d+ tokens: (.*) \[([a-z]{6})\]$/.exec(line ?? '') ?? [];
    expect(listed).toContain(name);
    const whole = await answerRecall(inspection, { kind: 'fetch', ids: [id] }, { tokens: 20_000, count }, searching());
    expect(whole).toContain(`--- ${id} `);
  });

  it('is computed for a compaction by the agent itself', async () => {
    const inspection = await inspect('claude');
    const answer = answerLoss(inspection, null, { tokens: 8000, count: inspection.ledger.countText });
    expect(answer).toMatch(/The agent’s own compaction \(summary\) of .*: .*messages? of the person/);
  });

  it('says that nothing was compacted, and refuses an unknown number', async () => {
    const inspection = await inspect('uncompacted');
    const budget = { tokens: 8000, count: inspection.ledger.countText };
    expect(answerLoss(inspection, null, budget)).toContain('Nothing was compacted.');
    expect(() => answerLoss(inspection, 7, budget)).toThrow('This session has no compaction #7.');
  });
});

import { describe, expect, it } from 'vitest';
import { observationsStrategy } from '../../../extension/engine/strategies/memory';
import type { Inspection } from '../../../extension/inspection/inspection';
import { UnknownReference } from '../../../extension/inspection/lookup/named-entries';
import { textOfEntry } from '../../../extension/inspection/lookup/passages';
import { placedEntries } from '../../../extension/inspection/lookup/placed-entries';
import { answerRecall, type RecallQuestion } from '../../../extension/inspection/lookup/recall-answer';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { registered, WordEmbedder } from '../../engine/memory/builders';
import { inspect, searching } from './opened';

const words = new WordEmbedder();

function ask(inspection: Inspection, question: RecallQuestion, tokens = 2000): Promise<string> {
  return answerRecall(inspection, question, { tokens, count: inspection.ledger.countText }, searching(words));
}

async function compact(inspection: Inspection, strategy: string): Promise<void> {
  const run = await inspection.prepare({
    strategy,
    instructions: null,
    parameters: { [strategy]: { keepRecentTokens: 100 } },
    tools: { summarizer: transparentSummarizer, model: null, embedder: words },
    signal: new AbortController().signal,
  });
  expect(run.records.length).toBeGreaterThan(0);
  await inspection.apply(run);
}

function idsIn(answer: string): string[] {
  return [...answer.matchAll(/^(?:[ >] )?([a-z][\w@/-]+) \d{4}-/gm)].map(([, id = '']) => id);
}

describe('recalling what the agent’s own compaction replaced', () => {
  it('goes from hits to what was around one, and from there to its words', async () => {
    const inspection = await inspect('pi');
    const hits = await ask(inspection, { kind: 'search', query: 'only want e2e tests' });
    expect(hits.split('\n')[0]).toMatch(/^Session "alright/);
    const [best = ''] = idsIn(hits);
    expect(hits).toMatch(
      new RegExp(`^${best} 2025-12-08 22:50 user: i would only want e2e tests.*agent’s own compaction`, 'm'),
    );
    const around = await ask(inspection, { kind: 'around', id: best });
    expect(around).toMatch(new RegExp(`^> ${best} `, 'm'));
    expect(idsIn(around)).toHaveLength(9);
    const said = placedEntries(inspection).find(({ ref }) => ref === best)?.entry;
    const whole = await ask(inspection, { kind: 'fetch', ids: [best] });
    expect(said && whole.includes(textOfEntry(said))).toBe(true);
  });

  it('reads a long text in parts that make up the whole', async () => {
    const inspection = await inspect('pi');
    const longest = placedEntries(inspection).reduce((a, b) =>
      textOfEntry(b.entry).length > textOfEntry(a.entry).length ? b : a,
    );
    let ids = [longest.ref];
    let read = '';
    while (ids.length > 0) {
      const answer = await ask(inspection, { kind: 'fetch', ids }, 4000);
      expect(inspection.ledger.countText(answer)).toBeLessThanOrEqual(4000);
      const [, text = '', left] = /\n--- [^\n]+\n(.*?)(?:… \[cut\]\nLeft out [^\n]*: (\{.*\}))?$/s.exec(answer) ?? [];
      expect(text).not.toBe('');
      read += text;
      ids = left === undefined ? [] : JSON.parse(left).ids;
    }
    expect(read).toBe(textOfEntry(longest.entry));
  });

  it('leaves for the next call what does not fit into this one', async () => {
    const inspection = await inspect('claude');
    const refs = placedEntries(inspection).map(({ ref }) => ref);
    const [first = '', second = '', long = ''] = [refs[0], refs[1], refs[65]];
    const answer = await ask(inspection, { kind: 'fetch', ids: [first, second, long] }, 500);
    expect(answer).toMatch(new RegExp(`"ids": \\["${long}(@\\d+)?"\\] \\}$`));
    expect(inspection.ledger.countText(answer)).toBeLessThanOrEqual(500);
  });

  it('names a place far inside a long text, and reads on from there', async () => {
    const inspection = await inspect('pi');
    const hits = await ask(inspection, { kind: 'search', query: 'Resume a different session' });
    const deep = idsIn(hits).find((id) => id.includes('@')) ?? '';
    expect(deep).toMatch(/^[a-z]{6}@\d+$/);
    const read = await ask(inspection, { kind: 'fetch', ids: [deep] }, 400);
    expect(read).toContain('Resume a different session');
    expect(await ask(inspection, { kind: 'around', id: deep })).toMatch(new RegExp(`^> ${deep.split('@')[0]} `, 'm'));
  });

  it('says which ids it does not know, and where ids come from', async () => {
    const inspection = await inspect('claude');
    const [known = ''] = placedEntries(inspection).map(({ ref }) => ref);
    for (const question of [
      { kind: 'around', id: 'nosuch' } as const,
      { kind: 'fetch', ids: [known, 'nosuch'] } as const,
    ]) {
      await expect(ask(inspection, question)).rejects.toThrow(UnknownReference);
      await expect(ask(inspection, question)).rejects.toThrow('nothing with the id "nosuch"');
    }
  });

  it('finds an entry by the id of its session file too', async () => {
    const inspection = await inspect('claude');
    const entry = inspection.session.conversation.entries[4];
    const answer = await ask(inspection, { kind: 'fetch', ids: [entry?.id ?? ''] });
    expect(entry && answer.includes(textOfEntry(entry))).toBe(true);
  });
});

describe('recalling what Strata’s compactions replaced', () => {
  it('finds an entry from when it is compacted until that is undone', async () => {
    const inspection = await inspect('uncompacted');
    const beneath = () => placedEntries(inspection).filter((placed) => placed.absentBecause !== null);
    const [first] = inspection.session.conversation.entries.filter(({ role }) => role === 'user');
    const query = textOfEntry(first ?? inspection.session.conversation.entries[0] ?? expect.fail()).slice(0, 60);
    const before = beneath();
    await compact(inspection, 'naive');
    expect(beneath().length).toBeGreaterThan(before.length);
    expect(await ask(inspection, { kind: 'search', query })).toMatch(
      /^[a-z]{6} .* user: .*beneath compaction #1 \(naive\)\)$/m,
    );
    await inspection.undo();
    expect(beneath()).toEqual(before);
  });

  it('says so if nothing was compacted', async () => {
    const inspection = await inspect('uncompacted');
    expect(await ask(inspection, { kind: 'search', query: 'anything' })).toContain('Nothing lies beneath a compaction');
  });

  it('finds notes and observations with their timelines and whole texts', async () => {
    const inspection = await inspect('claude');
    await compact(inspection, registered(observationsStrategy));
    const observed = inspection.journal.state.compactions[0]?.record.memory?.observations[0];
    const query = observed?.title ?? '';
    const hits = await ask(inspection, { kind: 'search', query });
    expect(idsIn(hits)).toContain(observed?.id);
    expect(await ask(inspection, { kind: 'around', id: observed?.id ?? '' })).toContain(`> ${observed?.id} `);
    const whole = await ask(inspection, { kind: 'fetch', ids: [observed?.id ?? ''] });
    for (const fact of observed?.facts ?? []) expect(whole).toContain(fact);
  });
});

describe('where an entry lies', () => {
  it('is shown for pruned results, which are found by their removed text', async () => {
    const inspection = await inspect('claude');
    const run = await inspection.prepare({
      strategy: 'prune',
      instructions: null,
      parameters: { prune: { protectTokens: 0, minimumTokens: 0 } },
      tools: { summarizer: transparentSummarizer, model: null, embedder: words },
      signal: new AbortController().signal,
    });
    await inspection.apply(run);
    const pruned = placedEntries(inspection).filter(({ absentBecause }) =>
      absentBecause?.startsWith('pruned by compaction #'),
    );
    expect(pruned.length).toBeGreaterThan(0);
    const [one] = pruned;
    const answer = await ask(inspection, { kind: 'fetch', ids: [one?.ref ?? ''] }, 8000);
    expect(one && answer.includes(textOfEntry(one.entry))).toBe(true);
  });

  it('is shown for results that the agent emptied, and for abandoned branches', async () => {
    const inspection = await inspect('uncompacted');
    const { conversation } = inspection.session;
    const result = conversation.entries.find(({ role }) => role === 'tool') ?? expect.fail();
    const last = conversation.agentContext.at(-1) ?? expect.fail();
    const emptied = { ...result, parts: result.parts.map((part) => ({ ...part, text: '[cleared]' }) as typeof part) };
    const agentContext = conversation.agentContext
      .filter((entry) => entry !== last)
      .map((entry) => (entry.id === result.id ? emptied : entry));
    const compaction = {
      id: 'cleared-1',
      kind: 'cleared',
      timestamp: '2026-01-02T03:04:05Z',
      summaryEntryId: null,
      replacedEntryIds: [result.id],
      tokensBefore: null,
      tokensAfter: null,
      trigger: null,
      origin: result.origin,
    } as const;
    inspection.session = {
      ...inspection.session,
      conversation: { ...conversation, agentContext, agentCompactions: [compaction] },
    };
    const beneath = new Map(placedEntries(inspection).map((placed) => [placed.entry.id, placed.absentBecause]));
    expect(beneath.get(result.id)).toBe('emptied by the agent at 2026-01-02 03:04');
    expect(beneath.get(last.id)).toBe('not sent: an abandoned branch, or left out by the agent');
    expect(beneath.get(agentContext[1]?.id ?? '')).toBeNull();
  });
});

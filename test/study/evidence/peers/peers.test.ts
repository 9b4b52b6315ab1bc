import { describe, expect, it } from 'vitest';
import { textOf, toolCalls, toolResults } from '../../../../extension/engine/conversation/entry';
import type { Boundary } from '../../../../extension/evaluation/measure/replay/boundaries';
import { transparentSummarizer } from '../../../../extension/summarizers/transparent/transparent';
import { assistant, call, quickLedger, result, talk, toolTurn, user } from '../../../builders/conversation';
import { nothingAt } from '../nothing-at';
import { measurePeers } from './measure-peers';
import { peerCells } from './peer-report';
import { peers } from './peers';

const ledger = quickLedger();
const { entries } = talk(...['one', 'two', 'three', 'four'].map(toolTurn));

function leave(name: string, kept: number, from = entries) {
  const peer = peers.find((each) => each.name === name);
  if (!peer) throw new Error(name);
  return peer.leave(from, kept);
}

const outputs = (left: readonly { parts: Parameters<typeof toolResults>[0] }[]) =>
  left.flatMap(({ parts }) => toolResults(parts)).map(({ text }) => text);

describe('published algorithms', () => {
  it.each(['observation masking', 'clearing of tool uses'])('%s keeps all messages and the newest results', (name) => {
    const left = leave(name, 2);
    expect(left).toHaveLength(entries.length);
    const texts = outputs(left);
    expect(texts.slice(-2)).toEqual(outputs(entries).slice(-2));
    expect(texts.slice(0, -2).every((text) => /omitted|cleared/.test(text))).toBe(true);
  });

  it('trimMessages begins with a message of the person', () => {
    const left = leave('trimMessages', 8);
    expect(left).toHaveLength(6);
    expect(left[0]?.role).toBe('user');
    expect(leave('trimMessages', 3)).toEqual([]);
  });

  it('pruneMessages has no calls and no results before the newest messages, and no empty message', () => {
    const left = leave('pruneMessages', 1);
    expect(left.flatMap(({ parts }) => [...toolCalls(parts), ...toolResults(parts)])).toEqual([]);
    expect(left.every(({ parts }) => textOf(parts) !== '')).toBe(true);
  });

  it('recent events and amortized forgetting keep the first message', () => {
    expect(leave('recent events', 2).map(({ id }) => id)).toEqual([entries[0], ...entries.slice(-2)].map((e) => e?.id));
    const left = leave('amortized forgetting', 10);
    expect(left[0]).toBe(entries[0]);
    expect(left.at(-1)).toBe(entries.at(-1));
    expect(left.length).toBeLessThanOrEqual(10);
  });

  it('dynamic context pruning keeps the newest result of a call that was made again', () => {
    const read = (id: string) => [call(id, 'read', { path: 'a.ts' }), result(id, `text of ${id}`)];
    const again = talk(user('Go.'), ...read('one'), ...read('two')).entries;
    expect(outputs(leave('dynamic context pruning', 0, again))).toEqual([
      expect.stringMatching(/removed/),
      'text of two',
    ]);
  });

  it('prune of OpenCode keeps the newest tokens of output', () => {
    const newest = outputs(entries).at(-1) ?? '';
    const texts = outputs(leave('prune of OpenCode', 1));
    expect(texts.filter((text) => /cleared/.test(text)).length).toBeGreaterThan(0);
    expect(newest).toBe('edited');
  });

  it('leave everything with their largest number', () => {
    for (const peer of peers.filter(({ name }) => name !== 'dynamic context pruning')) {
      expect(ledger.ofEntries(peer.leave(entries, peer.most(entries))), peer.name).toBe(ledger.ofEntries(entries));
    }
  });
});

describe('published algorithms in the same tokens', () => {
  const boundary: Boundary = {
    kind: 'simulated',
    line: 1,
    step: entries.length,
    replaced: entries,
    prompts: entries.filter(({ role }) => role === 'user'),
    after: talk(assistant('Now src/four.ts.')).entries,
    summary: null,
  };

  it('keep as much as fits', async () => {
    const ways = await measurePeers(
      boundary,
      { names: ['src/four.ts', 'src/one.ts'], messages: [] },
      {
        ledger,
        signal: new AbortController().signal,
        pause: async () => undefined,
        tools: {
          summarizer: transparentSummarizer,
          model: null,
          embedder: { name: 'none', embed: async (texts) => texts.map(() => [1]) },
        },
      },
    );
    const budget = ledger.ofEntries(entries) / 4;
    for (const { tokens, isWithinBudget } of ways) expect(isWithinBudget).toBe(tokens <= Math.round(budget));
    expect(ways.find(({ way }) => way === 'recent events')).toMatchObject({ isWithinBudget: true, names: 1 });
    expect(ways.find(({ way }) => way === 'dynamic context pruning')?.isWithinBudget).toBe(false);
  });

  it('are ranked by the names they keep if they fit', () => {
    const way = (name: string, names: number, isWithinBudget = true) => ({
      way: name,
      tokens: 10,
      isWithinBudget,
      names,
      messages: 0,
    });
    const cells = peerCells([
      { ...nothingAt('a'), names: 4, peers: [way('less', 1), way('more', 3), way('large', 4, false)] },
    ]);
    expect(cells.map(({ way: name, names, overBudget }) => [name, names?.mean ?? null, overBudget])).toEqual([
      ['more', 0.75, 0],
      ['less', 0.25, 0],
      ['large', null, 1],
    ]);
  });
});

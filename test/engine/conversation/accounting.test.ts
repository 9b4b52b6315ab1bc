import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextMessage } from '../../../extension/engine/conversation/context';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { agentSummary, assistant, long, system, talk, user } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';

function sum(messages: readonly ContextMessage[]): number {
  return messages.reduce((total, { tokens }) => total + tokens, 0);
}

function reported(total: number) {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: total };
}

describe('context size', () => {
  it('equals the report of the newest reply', () => {
    const { tokens } = contextOf(talk(user('hi'), assistant('hello', reported(5000))));
    expect(tokens).toMatchObject({ total: 5000, source: 'reported' });
  });

  it.each([
    reported(1e9),
    reported(Number.MAX_SAFE_INTEGER),
    { ...reported(5000), input: -5000 },
    { input: 1.5e7, output: 1.5e7, cacheRead: 0, cacheWrite: 0 },
  ])('is estimated if no window holds what was reported: %o', (usage) => {
    const { tokens } = contextOf(talk(user('hi'), assistant('hello', usage)));
    expect(tokens.source).not.toBe('reported');
    expect(tokens.total).toBeLessThan(1000);
  });

  it('uses reports of a session without line numbers, also after its compaction', () => {
    const nowhere = { file: 'sessions.db#one', line: 0 };
    const inDatabase = (conversation: Conversation): Conversation => {
      const entries = conversation.entries.map((entry) => ({ ...entry, origin: nowhere }));
      return { ...conversation, entries, agentContext: entries };
    };
    const before = inDatabase(talk(user('hi'), assistant('hello', reported(5000))));
    expect(contextOf(before).tokens).toMatchObject({ total: 5000, source: 'reported' });
    const { entries } = inDatabase(
      talk(user('hi'), assistant('hello', reported(5000)), agentSummary('so far'), assistant('on', reported(900))),
    );
    const compaction = {
      ...({ id: 'c', kind: 'summary', timestamp: null, summaryEntryId: 'e3', replacedEntryIds: ['e1'] } as const),
      ...{ tokensBefore: 5000, tokensAfter: null, trigger: null, origin: nowhere },
    };
    const compacted = (end: number) =>
      contextOf({ entries, agentContext: entries.slice(1, end), agentCompactions: [compaction] }).tokens;
    expect(compacted(3).source).toBe('estimated');
    expect(compacted(4)).toMatchObject({ total: 900, source: 'reported' });
  });

  it('uses a report after a compaction if it is about a request that Strata sent', async () => {
    const turns = Array.from({ length: 30 }, (_, at) => [
      user(`question ${at}`),
      assistant(long(`answer ${at}`)),
    ]).flat();
    const run = await compact(talk(...turns), { strategy: 'checkpoint' });
    const state = foldJournal(run.records);
    const sent = sum(contextOf(talk(...turns, user('more')), state).messages);
    const own = {
      ...assistant('done', reported(2 * sent)),
      countedTokens: sent + sum(contextOf(talk(assistant('done'))).messages),
    };
    const conversation = talk(...turns, user('more'), own);
    expect(contextOf(conversation, state).tokens).toMatchObject({ total: 2 * sent, source: 'reported' });
    const undone = contextOf(conversation).tokens;
    expect(undone.source).toBe('estimated');
    expect(undone.total).toBeGreaterThan(3 * sent);
  });

  it('ignores all reports if the newest one is far above what Strata sent', () => {
    fc.assert(
      fc.property(fc.double({ min: 1, max: 3, noNaN: true }), fc.integer({ min: 1, max: 1e9 }), (ratio, more) => {
        const asked = [user(long('a')), assistant('b'), user(long('c')), assistant('d')];
        const counted = (count: number) => sum(contextOf(talk(...asked.slice(0, count))).messages);
        const sent = (count: number, total: number) => ({
          ...asked.slice(0, count).at(-1),
          ...{ usage: reported(total), countedTokens: counted(count) },
        });
        const right = { ...assistant('b'), ...sent(2, Math.ceil(ratio * counted(2))) };
        const wrong = { ...assistant('d'), ...sent(4, 3 * counted(4) + 1000 + more) };
        const before = contextOf(talk(...asked.slice(0, 1), right)).tokens;
        expect(before).toMatchObject({ total: Math.ceil(ratio * counted(2)), derivedSystem: 0, source: 'reported' });
        const { tokens } = contextOf(talk(...asked.slice(0, 1), right, ...asked.slice(2, 3), wrong));
        expect(tokens).toMatchObject({ total: counted(4), derivedSystem: 0, source: 'estimated' });
      }),
    );
  });

  it('uses the report of an agent that logs only a part of what it sends', () => {
    const { tokens } = contextOf(talk(system('Short.'), user('hi'), assistant('hello', reported(50_000))));
    expect(tokens).toMatchObject({ total: 50_000, source: 'reported' });
  });

  it('adds the counted messages since the reported reply', () => {
    const before = contextOf(talk(user('hi'), assistant('hello', reported(5000))));
    const after = contextOf(talk(user('hi'), assistant('hello', reported(5000)), user(long('More.'))));
    const added = after.messages.at(-1)?.tokens ?? 0;
    expect(after.tokens).toMatchObject({ total: before.tokens.total + added, source: 'reported' });
  });

  it('shows unlogged tokens as derived system tokens', () => {
    const { tokens, messages } = contextOf(talk(user('hi'), assistant('hello', reported(5000))));
    const counted = messages.reduce((sum, message) => sum + message.tokens, 0);
    expect(tokens.derivedSystem).toBe(5000 - counted);
    expect(tokens.byKind.system).toBe(5000 - counted);
  });

  it('keeps the size of the system prompt as the first report leaves it, and names growth that no record explains', () => {
    const said = [user('a'), assistant('b', reported(20_000)), user('c'), assistant('d', reported(32_000))];
    const [first, second] = [contextOf(talk(...said.slice(0, 2))).tokens, contextOf(talk(...said)).tokens];
    expect(first.byKind.system).toBeGreaterThan(19_900);
    expect(second.byKind.system).toBe(first.byKind.system);
    expect(second.byKind.unexplained).toBeGreaterThan(11_900);
    expect(second.total).toBe(32_000);
    expect(Object.values(second.byKind).reduce((all, tokens) => all + tokens, 0)).toBe(32_000);
  });

  it('keeps the size of the system prompt while the session grows as its messages do', () => {
    const turns = Array.from({ length: 12 }, (_, at) => [user(`Go on with ${at}.`), assistant(long('d', 100))]).flat();
    const { messages } = contextOf(talk(...turns));
    const systems = new Set(
      [2, 6, 12, 24].map((length) => {
        const said = turns.slice(0, length).map((one, at) => {
          const counted = sum(messages.slice(0, at + 1));
          return one.role === 'assistant'
            ? assistant(long('d', 100), reported(18_000 + Math.round(1.3 * counted)))
            : one;
        });
        const { tokens } = contextOf(talk(...said));
        expect(tokens.byKind.unexplained).toBeLessThan(2000);
        return tokens.byKind.system;
      }),
    );
    expect(systems.size).toBe(1);
  });

  it('counts what precedes a session that begins in the middle as earlier messages, not as system prompt', () => {
    const whole = talk(user('a'), assistant('b', reported(112_000)), user('c'), assistant('d', reported(112_100)));
    for (const conversation of [whole, { ...whole, beginsMidway: true as const }]) {
      const { tokens } = contextOf(conversation);
      expect(tokens.byKind.system).toBe(0);
      expect(tokens.byKind.earlier).toBeGreaterThan(111_000);
      expect(tokens.total).toBe(112_100);
    }
    const small = talk(user('a'), assistant('b', reported(30_000)));
    expect(contextOf(small).tokens.byKind.earlier).toBe(0);
    expect(contextOf({ ...small, beginsMidway: true }).tokens.byKind.earlier).toBeGreaterThan(29_000);
  });

  it('the context size has no earlier messages beside a summary of the agent that includes them', () => {
    const all = talk(
      user('a'),
      assistant('b', reported(112_000)),
      agentSummary('What happened.'),
      user('c'),
      assistant('d', reported(21_000)),
    );
    const compaction = {
      ...({ id: 'c', kind: 'summary', timestamp: null, summaryEntryId: 'e3', replacedEntryIds: ['e1', 'e2'] } as const),
      ...{ tokensBefore: 112_000, tokensAfter: null, trigger: null, origin: { file: 'session.jsonl', line: 3 } },
    };
    const afterCompaction = (end: number) =>
      contextOf({ entries: all.entries, agentContext: all.entries.slice(2, end), agentCompactions: [compaction] })
        .tokens;
    expect(afterCompaction(4).byKind).toMatchObject({ earlier: 0, system: 0 });
    expect(afterCompaction(5).byKind).toMatchObject({ earlier: 0, unexplained: 0 });
    expect(afterCompaction(5).byKind.system).toBeGreaterThan(20_000);
  });

  it('has a calibration, and no derived system tokens, if the system prompt is logged', () => {
    const { tokens } = contextOf(talk(system('You are an agent.'), user('hi'), assistant('hello', reported(30))));
    expect(tokens.derivedSystem).toBe(0);
    expect(tokens.calibration).toBeGreaterThan(1);
    expect(tokens.total).toBe(30);
  });

  it('derives the calibration ratio from two reports that are far enough apart', () => {
    const counted = contextOf(talk(user('a'), assistant('b'), user(long('c', 400)), assistant('d')));
    const span = counted.messages.slice(2).reduce((sum, message) => sum + message.tokens, 0);
    const first = 3000;
    const conversation = talk(
      user('a'),
      assistant('b', reported(first)),
      user(long('c', 400)),
      assistant('d', reported(first + Math.round(span * 1.25))),
    );
    expect(contextOf(conversation).tokens.calibration).toBeCloseTo(1.25, 2);
  });

  it('charges steps for the reasoning that a log hides, and not the system prompt', () => {
    const turns = Array.from({ length: 40 }, (_, at) => [user(`Go on with ${at}.`), assistant(long('d', 500))]).flat();
    const sizes = contextOf(talk(user('a'), assistant('b'), ...turns)).messages.map(({ tokens }) => tokens);
    const logged = (count: number) => sizes.slice(0, count).reduce((sum, size) => sum + size, 0);
    const whole = logged(sizes.length);
    const first = logged(2);
    const said = turns.map((one, at) =>
      at === turns.length - 1 ? assistant(long('d', 500), reported(50_000 + Math.round((whole - first) * 2.6))) : one,
    );
    const { tokens } = contextOf(talk(user('a'), assistant('b', reported(50_000)), ...said));
    expect(whole).toBeGreaterThan(15_000);
    expect(tokens.calibration).toBeCloseTo(2.6, 1);
    expect(tokens.derivedSystem).toBeLessThan(51_000);
  });

  it('estimates the size once Strata changed the context', async () => {
    const recent = Array.from({ length: 11 }, (_, index) => [user(`Then ${index}.`), assistant('Yes.')]).flat();
    const conversation = talk(
      user('Explain.'),
      assistant(long('I found it.')),
      recent,
      assistant('Last.', reported(9000)),
    );
    const { before, after } = await compact(conversation);
    expect(before.tokens).toMatchObject({ total: 9000, source: 'reported' });
    expect(after.tokens.source).toBe('estimated');
    expect(after.tokens.total).toBeLessThan(9000);
  });

  it('the context size after a compaction by the agent counts what it sends and does not log as with its first report', () => {
    const all = talk(
      user('a'),
      assistant('first', reported(5_000)),
      assistant('kept', reported(90_000)),
      agentSummary('What happened.'),
      user('b'),
    );
    const [, , kept, summary, last] = all.entries;
    const conversation: Conversation = {
      entries: all.entries,
      agentContext: [summary, kept, last].flatMap((entry) => entry ?? []),
      agentCompactions: [
        {
          id: 'c',
          kind: 'summary',
          timestamp: null,
          summaryEntryId: 'e4',
          replacedEntryIds: ['e1', 'e2'],
          tokensBefore: 90_000,
          tokensAfter: null,
          trigger: null,
          origin: { file: 'session.jsonl', line: 4 },
        },
      ],
    };
    const { tokens } = contextOf(conversation);
    expect(tokens.source).toBe('estimated');
    expect(tokens.derivedSystem).toBe(5_000 - sum(contextOf(talk(...all.entries.slice(0, 2))).messages));
    expect(tokens.total).toBeLessThan(5_100);
  });
});

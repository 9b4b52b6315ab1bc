import { describe, expect, it } from 'vitest';
import { strategyChoices } from '../../../../extension/engine/run/prepare/registry';
import type { Boundary } from '../../../../extension/evaluation/measure/replay/boundaries';
import { measureBoundary, measureWay, needsOf } from '../../../../extension/evaluation/measure/replay/measure';
import { transparentSummarizer } from '../../../../extension/summarizers/transparent/transparent';
import { assistant, quickLedger, talk, toolTurn, user } from '../../../builders/conversation';

const names = Array.from({ length: 12 }, (_, number) => `part${number}`);
const rule = 'Never change the public signature of loadConfig.';

function boundaryWith(summary: string | null): Boundary {
  const before = [user(rule), assistant('I will not.'), ...names.flatMap(toolTurn)];
  const after = names.slice(0, 4).map((name) => assistant(`Now src/${name}.ts is next, and src/unheard-of.ts.`));
  const { entries } = talk(before, after);
  const replaced = entries.slice(0, before.length);
  const prompts = replaced.filter(({ role }) => role === 'user');
  const kind = summary === null ? 'simulated' : 'agent';
  return { kind, line: 75, step: before.length, replaced, prompts, after: entries.slice(before.length), summary };
}

async function measured(boundary: Boundary, strategies = strategyChoices()) {
  let pauses = 0;
  const result = await measureBoundary(boundary, {
    session: { id: 's', agent: 'pi', title: 'A session', file: 'session.jsonl', project: '/work' },
    repeated: null,
    ledger: quickLedger(),
    strategies,
    tools: {
      summarizer: transparentSummarizer,
      model: null,
      embedder: { name: 'none', embed: async (texts) => texts.map(() => [1]) },
    },
    pause: async () => {
      pauses += 1;
    },
    signal: new AbortController().signal,
  });
  return { ...result, pauses };
}

describe('what later work needed', () => {
  it('consists of known names that it used and messages in force', () => {
    const needs = needsOf(boundaryWith(null));
    expect(needs.names).toEqual(['src/part0.ts', 'src/part1.ts', 'src/part2.ts', 'src/part3.ts']);
    expect(needs.messages).toContain(rule);
  });
});

describe('a way', () => {
  const needs = {
    names: ['src/part0.ts', 'src/part1.ts', 'readAll', 'writeAll'],
    messages: [rule, 'Use tabs in all files of ours.'],
  };
  const way = (text: string, budget = 100) => measureWay('some', { text, tokens: text.length / 4 }, needs, budget);

  it('scores nothing if it keeps nothing', () => {
    expect(way('')).toMatchObject({ namesHeld: [], messagesHeld: [], isWithinBudget: true });
    expect(way('src/part10.ts readAllOfIt rewriteAll')).toMatchObject({ namesHeld: [], messagesHeld: [] });
  });

  it('scores a half if it keeps half of the names', () => {
    expect(way('readAll is in src/part1.ts').namesHeld).toEqual(['src/part1.ts', 'readAll']);
  });

  it('keeps a message word for word, and not in other words', () => {
    expect(way(`User:\n> ${rule}`).messagesHeld).toEqual([rule]);
    expect(way('The public signature of loadConfig must never be changed').messagesHeld).toEqual([]);
  });

  it('fits the budget with up to 10 % more', () => {
    expect([way('x'.repeat(440)), way('x'.repeat(444))].map(({ isWithinBudget }) => isWithinBudget)).toEqual([
      true,
      false,
    ]);
  });

  it('a way is measured in full and shortened for display', () => {
    const { text, namesHeld } = way(`${'word '.repeat(10_000)} readAll`);
    expect(text.length).toBeLessThan(30_000);
    expect(namesHeld).toEqual(['readAll']);
  });
});

describe('a boundary', () => {
  it('a boundary is kept in full by `everything`, and partly by the agent’s summary', async () => {
    const boundary = await measured(boundaryWith('Next come src/part0.ts and src/part2.ts.'), []);
    const [everything, agent] = boundary.ways;
    expect(everything).toMatchObject({
      way: 'everything',
      namesHeld: boundary.names,
      messagesHeld: boundary.messages,
    });
    expect(everything?.isWithinBudget).toBe(false);
    expect(agent).toMatchObject({ way: 'agent', namesHeld: ['src/part0.ts', 'src/part2.ts'], messagesHeld: [] });
    expect(agent).toMatchObject({ tokens: boundary.budget, isWithinBudget: true });
  });

  it('gives every strategy the tokens of the agent’s summary and marks those that take more', async () => {
    const boundary = await measured(boundaryWith('What was done so far. '.repeat(80)));
    const within = boundary.ways.filter(({ isWithinBudget }) => isWithinBudget).map(({ way }) => way);
    const summaries = [
      'checkpoint',
      'naive',
      'codex',
      'hierarchical-summary',
      'a-mem',
      'observations',
      'protected-core',
      'handoff',
    ];
    expect(within).toEqual(expect.arrayContaining(summaries));
    expect(within).not.toContain('prune');
    expect(boundary.pauses).toBe(strategyChoices().length);
    for (const { way, tokens, isWithinBudget } of boundary.ways) {
      expect([way, isWithinBudget]).toEqual([way, way !== 'everything' && tokens <= boundary.budget * 1.1]);
    }
  });

  it('a boundary has a budget in proportion to the replaced entries if the agent made no summary', async () => {
    const { budget, replacedTokens, ways } = await measured(boundaryWith(null), []);
    expect(budget).toBe(Math.round(replacedTokens * 0.05));
    expect(ways.map(({ way }) => way)).toEqual(['everything']);
  });

  it('strategies that read the same entries together leave what each leaves alone', async () => {
    const boundary = boundaryWith('Read many parts. src/part1.ts is next.');
    const together = await measured(boundary);
    for (const choice of strategyChoices()) {
      const alone = await measured(structuredClone(boundary), [choice]);
      expect(alone.ways.at(-1)).toEqual(together.ways.find(({ way }) => way === choice.name));
    }
  });

  it('a boundary has no core, which would keep the first goal for every strategy', async () => {
    const discards = strategyChoices().filter(({ name }) => name === 'sliding-window');
    const { ways } = await measured(boundaryWith(null), discards);
    expect(ways.find(({ way }) => way === 'sliding-window')).toMatchObject({ namesHeld: [], messagesHeld: [] });
  });

  it('does not charge a strategy for the system prompt that only the provider’s figures show', async () => {
    const ladder = strategyChoices().filter(({ name }) => name === 'ladder');
    const boundary = boundaryWith('What was done so far. '.repeat(80));
    const usage = { input: 25_000, output: 10, cacheRead: 0, cacheWrite: 0 };
    const reported = boundary.replaced.map((entry) => (entry.role === 'assistant' ? { ...entry, usage } : entry));
    const { ways } = await measured({ ...boundary, replaced: reported }, ladder);
    expect(ways).toEqual((await measured(boundary, ladder)).ways);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Branch, branchOf } from '../../../extension/engine/conversation/branch';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { type Extent, growth, tokensOfExtent } from '../../../extension/engine/conversation/growth';
import { TokenLedger } from '../../../extension/engine/conversation/tokens';
import { thinOut } from '../../../extension/inspection/history';
import { summarised } from '../../builders/agent-compaction';
import { conversations } from '../../builders/arbitrary';
import { assistant, call, long, quickLedger, result, type Said, system, talk, user } from '../../builders/conversation';
import { contextOf } from '../../builders/run';

function reported(total: number) {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: total };
}

function sizes(conversation: Conversation): number[] {
  return growth(conversation, branchOf(conversation), quickLedger()).map(({ extent }) => tokensOfExtent(extent));
}

function tokens(extent: Extent | undefined): number {
  return extent ? tokensOfExtent(extent) : Number.NaN;
}

describe('context growth', () => {
  it('uses reports and counts the entries after them', () => {
    const conversation = talk(user('hi'), assistant('hello', reported(5000)), user('x'.repeat(400)));
    expect(sizes(conversation).slice(1)).toEqual([5000, 5104]);
  });

  it('starts with the tokens that the agent sends but does not log', () => {
    const conversation = talk(user('x'.repeat(400)), assistant('hello', reported(5000)));
    expect(sizes(conversation)[0]).toBe(5000 - 6);
  });

  it('ignores implausible reports', () => {
    const conversation = talk(system('s'), user(long('a')), assistant('b', reported(3)), user('c'));
    expect(sizes(conversation)).toEqual([...sizes(conversation)].sort((a, b) => a - b));
  });

  it('drops at a compaction of the agent to what remained', () => {
    const before = [user(long('first')), assistant(long('answer'), reported(9000))];
    const conversation = summarised(before, 'so far', [user('on'), assistant('done', reported(2500))]);
    const [, , fall] = growth(conversation, branchOf(conversation), quickLedger());
    expect(tokens(fall?.drop?.before)).toBe(9000);
    expect(tokens(fall?.extent)).toBeGreaterThan(2400);
    expect(tokens(fall?.extent)).toBeLessThan(2500);
  });

  it('drops by the size of a result that the agent cleared', () => {
    const { entries } = talk(user('go'), call('a'), result('a', 'x'.repeat(4000)), assistant('read it'), user('on'));
    const emptied = entries.map((entry) => (entry.id === 'e3' ? withText(entry, '[cleared]') : entry));
    const compaction = {
      ...({ id: 'c', kind: 'cleared', timestamp: null, summaryEntryId: null, replacedEntryIds: ['e3'] } as const),
      ...{ tokensBefore: null, tokensAfter: null, trigger: null, origin: { file: 'session.jsonl', line: 4 } },
    };
    const conversation = { entries, agentContext: emptied, agentCompactions: [compaction] };
    const steps = growth(conversation, branchOf(conversation), quickLedger());
    expect(steps.map(({ drop }) => drop !== null)).toEqual([false, false, false, true, false]);
    expect([...(steps[3]?.drop?.cleared ?? [])]).toEqual([['e3', 1000 - 3]]);
    expect(tokens(steps[3]?.drop?.before) - tokens(steps[3]?.extent)).toBe(1000 - 3);
  });

  it('excludes abandoned branches', () => {
    const { entries } = talk(user('one'), assistant('left'), user('two'), assistant('stays'));
    const [one, , two, stays] = entries as [Entry, Entry, Entry, Entry];
    const branch = branchOf({ entries, agentContext: [one, two, stays], agentCompactions: [] });
    expect(branch.entries.map(({ at, turn }) => [at, turn])).toEqual([
      [0, 1],
      [2, 2],
      [3, 2],
    ]);
  });

  it('counts synthesized entries in their places', () => {
    const { entries } = talk(user('one'), call('a'), user('two'));
    const [one, asked, two] = entries as [Entry, Entry, Entry];
    const made: Entry = { ...asked, id: 'made', role: 'tool', parts: result('a', 'none').parts };
    const branch = branchOf({ entries, agentContext: [one, asked, made, two], agentCompactions: [] });
    expect(branch.entries.map(({ entry, at }) => `${entry.id}@${at}`)).toEqual(['e1@0', 'e2@1', 'made@1', 'e3@2']);
  });

  it('context growth ends at the size of the present context, whatever was reported', () => {
    const reports = fc.array(fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: null }));
    fc.assert(
      fc.property(conversations, reports, (conversation, tokens) => {
        const reporting = withReports(conversation, tokens);
        expect(sizes(reporting).at(-1)).toBe(contextOf(reporting).tokens.total);
      }),
    );
  });

  it('visits each entry as often in a long session as in a short one', () => {
    const visitsPerEntry = (count: number) => {
      const said = Array.from({ length: count }, (_, at) => [user(`ask ${at}`), assistant(`say ${at}`)]).flat();
      let visits = 0;
      const counting = (entries: readonly Entry[]) =>
        new Proxy(entries, {
          get(target, key, receiver) {
            if (typeof key === 'string' && /^\d+$/.test(key)) visits += 1;
            return Reflect.get(target, key, receiver);
          },
        });
      const { entries, agentContext, agentCompactions } = summarisedOften(said);
      const conversation = { entries: counting(entries), agentContext: counting(agentContext), agentCompactions };
      const branch = branchOf(conversation);
      growth(conversation, { ...branch, entries: counting(branch.entries as never) as never } as Branch, lengths);
      return visits / entries.length;
    };
    expect(visitsPerEntry(2000)).toBeLessThanOrEqual(visitsPerEntry(200) * 1.1);
  });
});

const lengths = new TokenLedger((text) => text.length);

/** The agent compacts after every twenty entries. */
function summarisedOften(said: readonly Said[]): Conversation {
  const { entries } = talk(said.map((one, at) => (at % 20 === 19 ? { ...one, summary: true as const } : one)));
  const places = entries.flatMap(({ summary }, at) => (summary ? at : []));
  const agentCompactions = places.map((place, index) => ({
    ...({ id: `c${place}`, kind: 'summary', timestamp: null, tokensBefore: null, tokensAfter: null } as const),
    summaryEntryId: entries[place]?.id ?? null,
    replacedEntryIds: entries.slice(index === 0 ? 0 : places[index - 1], place).map(({ id }) => id),
    ...({ trigger: null, origin: { file: 'session.jsonl', line: place + 1 } } as const),
  }));
  return { entries, agentContext: entries.slice(places.at(-1)), agentCompactions };
}

function withText(entry: Entry, text: string): Entry {
  return { ...entry, parts: entry.parts.map((part) => (part.type === 'tool_result' ? { ...part, text } : part)) };
}

function withReports(conversation: Conversation, tokens: readonly (number | null)[]): Conversation {
  let next = 0;
  const entries = conversation.entries.map((entry) => {
    const total = entry.role === 'assistant' ? (tokens[next++] ?? null) : null;
    return total === null ? entry : { ...entry, usage: reported(total) };
  });
  return { ...conversation, entries, agentContext: entries };
}

describe('thinning out a line', () => {
  const points = fc.array(fc.record({ tokens: fc.nat(), isMarked: fc.boolean() }), { maxLength: 3000 });

  it('keeps ends, marked points and the highest point, in order', () => {
    fc.assert(
      fc.property(points, (line) => {
        const thin = thinOut(line, 300);
        expect(line.filter((point) => thin.includes(point))).toEqual(thin);
        expect(thin).toEqual(expect.arrayContaining(line.filter(({ isMarked }) => isMarked)));
        expect([thin[0], thin.at(-1)]).toEqual([line[0], line.at(-1)]);
        expect(Math.max(0, ...thin.map(({ tokens }) => tokens))).toBe(Math.max(0, ...line.map(({ tokens }) => tokens)));
      }),
    );
  });

  it('returns about the requested number of points', () => {
    const line = Array.from({ length: 50_000 }, (_, at) => ({ tokens: at % 977, isMarked: at % 5000 === 0 }));
    expect(thinOut(line, 600).length).toBeLessThanOrEqual(600);
    expect(thinOut(line, 600).length).toBeGreaterThan(500);
    expect(thinOut(line.slice(0, 600), 600)).toHaveLength(600);
  });
});

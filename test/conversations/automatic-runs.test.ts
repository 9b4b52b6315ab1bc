import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AutomaticRuns } from '../../extension/conversations/compaction/automatic-runs';
import { ModelFailed } from '../../extension/engine/block/language-model';
import type { Summarizer } from '../../extension/engine/block/summary';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import { toolCalls } from '../../extension/engine/conversation/entry';
import { foldJournal, type JournalState } from '../../extension/engine/journal/journal-state';
import { type AutomationInput, dueByCount } from '../../extension/engine/run/automation/automation';
import type { PreparedRun } from '../../extension/engine/run/prepare/prepared-run';
import { findStrategy } from '../../extension/engine/run/prepare/registry';
import { turnByTurn } from '../builders/arbitrary';
import { assistant, call, long, result, talk, toolTurn, user } from '../builders/conversation';
import { compact, contextOf, emptyState, runInput } from '../builders/run';

/** Tests of automatic runs with the strategies that start by the number and age of turns and calls. */

const settings = { enabled: true, contextWindow: 200_000, floorTokens: 20_000, pauseTokens: 10_000, warnAtPercent: 90 };

function aroundOf(conversation: Conversation, state: JournalState, name: string): AutomationInput {
  const strategy = findStrategy(name);
  if (!strategy) throw new Error(`no strategy ${name}`);
  const context = contextOf(conversation, state);
  return { ...settings, strategy, parameters: {}, conversation, state, context, betweenTurns: true };
}

/** A conversation that is checked after each turn. */
class Session {
  readonly runs: PreparedRun[] = [];
  /** The keys that were due when a run began, one list for each run. */
  readonly due: (readonly string[])[] = [];
  state = emptyState;
  readonly #decides = new AutomaticRuns();

  constructor(
    readonly strategy: string,
    readonly summarizer?: Summarizer,
  ) {}

  decide(conversation: Conversation) {
    return this.#decides.decide(aroundOf(conversation, this.state, this.strategy));
  }

  /** The blocks of an automatic run; null if no run was due. */
  async turnEnded(conversation: Conversation): Promise<string[] | null> {
    if (this.decide(conversation).kind !== 'run') return null;
    this.due.push(dueByCount(aroundOf(conversation, this.state, this.strategy)));
    const { strategy, state, summarizer } = this;
    const { floorTokens } = settings;
    const tools = summarizer ? { tools: { ...runInput(conversation).tools, summarizer } } : {};
    const run = await compact(conversation, {
      strategy,
      state,
      trigger: 'automatic',
      floorTokens,
      parameters: {},
      ...tools,
    });
    this.runs.push(run);
    this.state = foldJournal(run.records, state);
    this.#decides.ended(run, aroundOf(conversation, this.state, strategy));
    return run.records.map(({ summaryType, turnCount }) => `${summaryType} ${turnCount}`);
  }
}

const names = Array.from({ length: 24 }, (_, at) => `part${at}`);

/** Two calls and six messages in each turn. */
function turns(count: number): Conversation {
  return talk(names.slice(0, count).flatMap(toolTurn));
}

/** A summarizer whose answer is too long to replace anything. */
const verbose: Summarizer = {
  name: 'verbose',
  model: null,
  concurrency: 1,
  summarize: async () => ({
    body: `## Goal Arc\n${long('I tell far too much.', 5000)}`,
    spans: [],
    tokensSpent: { input: 0, output: 0 },
    promptHash: null,
  }),
};

describe('an automatic run by count', () => {
  it('starts when enough is old enough, in a context far below the floor', async () => {
    const session = new Session('pipeline');
    const made: [number, string[]][] = [];
    for (let count = 1; count <= names.length; count += 1) {
      expect(contextOf(turns(count), session.state).tokens.total).toBeLessThan(settings.floorTokens);
      const blocks = await session.turnEnded(turns(count));
      if (blocks) made.push([count, blocks]);
    }
    const blocks = ['tool_call_batch 1', 'tool_call_batch 1', 'tool_call_batch 1', 'goal_batch 3'];
    expect(made).toEqual([7, 10, 13, 16, 19, 22].map((count) => [count, blocks]));
  });

  it('an automatic run by count is not started by old calls that are worth no block', async () => {
    const session = new Session('tool-calls');
    const tiny = names
      .slice(0, 14)
      .flatMap((name) => [user(`Look at ${name}.`), call(name), result(name), assistant('Seen.')]);
    const counts: number[] = [];
    for (let count = 1; count <= names.length; count += 1) {
      if (await session.turnEnded(talk(tiny, names.slice(0, count).flatMap(toolTurn)))) counts.push(count);
    }
    expect(counts).toEqual([7, 10, 13, 16, 19, 22]);
  });

  it('waits for the end of the turn', () => {
    const working = talk(turns(12).entries, [user('Go on.'), call('x'), result('x')]);
    const around = { ...aroundOf(working, emptyState, 'pipeline'), betweenTurns: false };
    expect(new AutomaticRuns().decide(around)).toEqual({ kind: 'wait', reason: 'mid-turn' });
  });

  it('does not start again after an undo until the context has grown', async () => {
    const session = new Session('tool-calls');
    await session.turnEnded(turns(12));
    const seqs = session.runs[0]?.records.map(({ seq }) => seq) ?? [];
    session.state = foldJournal([{ kind: 'undo', seq: 99, time: '', compactions: seqs }], session.state);
    expect(session.decide(turns(12))).toEqual({ kind: 'wait', reason: 'paused' });
    expect(session.decide(turns(14))).toEqual({ kind: 'wait', reason: 'paused' });
    const grown = talk(turns(12).entries, [user('More?'), assistant(long('Much more.', 900))]);
    expect(session.decide(grown)).toEqual({ kind: 'run', by: 'count' });
  });

  it('an automatic run by count without a result is not repeated until something else is due', async () => {
    const session = new Session('tool-calls', verbose);
    const counts: number[] = [];
    for (let count = 1; count <= names.length; count += 1) {
      if (await session.turnEnded(turns(count))) counts.push(count);
    }
    expect(counts).toEqual([7, 10, 13, 16, 19, 22]);
    expect(session.runs.flatMap(({ records }) => records)).toEqual([]);
  });

  it('an automatic run by count is made again after a failure of the model, when the context has grown', async () => {
    const fail = () => Promise.reject(new ModelFailed('unavailable', 'The model does not answer.'));
    const session = new Session('tool-calls', { ...verbose, model: 'model', summarize: fail });
    await session.turnEnded(turns(12));
    expect(session.runs[0]?.failures.length).toBeGreaterThan(0);
    expect(session.decide(turns(20))).toEqual({ kind: 'wait', reason: 'paused' });
    const grown = talk(turns(12).entries, [user('More?'), assistant(long('Much more.', 900))]);
    expect(session.decide(grown)).toEqual({ kind: 'run', by: 'count' });
  });
});

describe('rules of automatic runs by count, in any session', () => {
  const strategies = fc.constantFrom('pipeline', 'tool-calls', 'goal-batch');

  it('nothing is due that was not tried, and nothing is tried twice in the same context', () =>
    fc.assert(
      fc.asyncProperty(turnByTurn, strategies, async (conversations, strategy) => {
        const session = new Session(strategy);
        for (const conversation of conversations) {
          await session.turnEnded(conversation);
          expect(session.decide(conversation).kind).not.toBe('run');
        }
      }),
      { numRuns: 30 },
    ));

  it('each run without a result had something to try that no run had tried before', () =>
    fc.assert(
      fc.asyncProperty(turnByTurn, strategies, async (conversations, strategy) => {
        const session = new Session(strategy, verbose);
        for (const conversation of conversations) await session.turnEnded(conversation);
        const tried = new Set<string>();
        for (const keys of session.due) {
          expect(keys.some((key) => !tried.has(key))).toBe(true);
          for (const key of keys) tried.add(key);
        }
      }),
      { numRuns: 30 },
    ));

  it('there are no more runs than new turns, calls and messages can start', () =>
    fc.assert(
      fc.asyncProperty(turnByTurn, strategies, async (conversations, strategy) => {
        const session = new Session(strategy);
        for (const conversation of conversations) await session.turnEnded(conversation);
        const entries = conversations.at(-1)?.entries ?? [];
        const calls = entries.flatMap(({ parts }) => toolCalls(parts)).length;
        const most = Math.floor(conversations.length / 3) + Math.floor(calls / 10) + Math.floor(entries.length / 20);
        expect(session.runs.length).toBeLessThanOrEqual(most);
      }),
      { numRuns: 30 },
    ));
});

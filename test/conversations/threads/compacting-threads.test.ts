import fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { memoryJournal } from '../../../extension/conversations/shelves/memory-journal';
import {
  CompactingThreads,
  type CompactingThreadsOptions,
} from '../../../extension/conversations/threads/compacting-threads';
import { type LanguageModel, ModelFailed } from '../../../extension/engine/block/language-model';
import type { Summarizer } from '../../../extension/engine/block/summary';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { TokenLedger } from '../../../extension/engine/conversation/tokens';
import type { PreparedRun } from '../../../extension/engine/run/prepare/prepared-run';
import { registerStrategy, strategyChoices } from '../../../extension/engine/run/prepare/registry';
import { type CompactionOrder, Workbench } from '../../../extension/engine/run/workbench';
import { checkpointStrategy } from '../../../extension/engine/strategies/one-summary';
import { stableJson } from '../../../extension/middleware/recognition/chain';
import { modelSummarizer } from '../../../extension/summarizers/model/model-summarizer';
import { transparentSummarizer } from '../../../extension/summarizers/transparent/transparent';
import { growing } from '../../builders/arbitrary';
import { builtThread, threadThat } from '../../builders/built-thread';
import { assistant, call, long, result, talk, user } from '../../builders/conversation';
import { smallParameters, wordEmbedder } from '../../builders/run';

let program: string;
const opened: CompactingThreads[] = [];

beforeAll(async () => {
  program = await builtThread('extension/conversations/threads/compacting-thread.ts');
}, 120_000);

afterEach(() => {
  for (const threads of opened.splice(0)) threads.dispose();
});

function threadsWith(options: Partial<CompactingThreadsOptions> = {}) {
  const notices: string[] = [];
  const threads = new CompactingThreads({ program, onNotice: (message) => notices.push(message), ...options });
  opened.push(threads);
  return { threads, notices };
}

/** A workbench whose conversation the test can extend. */
function benchOf(first: Conversation, threads?: CompactingThreads) {
  const ledger = new TokenLedger(countWithO200k);
  const source = {
    ...{ conversation: first, ledger, contextWindow: 200_000 },
    journal: memoryJournal({ agent: 'strata', id: 'c1', file: '' }),
    background: threads?.background(),
  };
  let time = 0;
  const newId = () => {
    time += 1;
    return new Date(Date.UTC(2026, 1, 1, 0, 0, time)).toISOString();
  };
  return { source, ledger, bench: new Workbench(source, { now: newId, clock: () => 0, newId }) };
}

function orderOf(more: Partial<CompactionOrder> = {}): CompactionOrder {
  return {
    strategy: 'ladder',
    instructions: null,
    parameters: smallParameters,
    tools: { summarizer: transparentSummarizer, model: null, embedder: wordEmbedder },
    signal: new AbortController().signal,
    targetTokens: 400,
    ...more,
  };
}

/**
 * Everything in the run except the durations of its blocks. Plans are not stored in a journal, so the order of their
 * properties does not matter.
 */
function bytesOf({ strategy, before, after, records, plans, notes, failures, tokensSpent }: PreparedRun): string {
  const timeless = records.map((record) => ({ ...record, durationMs: 0 }));
  return JSON.stringify([strategy, notes, failures, tokensSpent, timeless, stableJson(plans), before, after]);
}

const session = talk(
  ...Array.from({ length: 12 }, (_, at) => [
    user(`Rework part ${at}, and never rename loadConfig().`),
    call(`c${at}`),
    result(`c${at}`, long(`Line of file ${at}.`, 400)),
    assistant(long(`Part ${at} is done.`)),
  ]).flat(),
  user('Go on.'),
);

describe('a run in a thread', () => {
  it('gives byte for byte what it gives on the main thread, also after the conversation grew', async () => {
    const { threads, notices } = threadsWith();
    const names = strategyChoices().map(({ name }) => name);
    const compare = async ([first, grown]: readonly [Conversation, Conversation], strategy: string) => {
      const here = benchOf(first);
      const there = benchOf(first, threads);
      for (const conversation of [first, grown]) {
        for (const { source } of [here, there]) source.conversation = conversation;
        const runs = [
          await here.bench.prepare(orderOf({ strategy })),
          await there.bench.prepare(orderOf({ strategy })),
        ];
        expect(bytesOf(runs[1] as PreparedRun)).toBe(bytesOf(runs[0] as PreparedRun));
        await here.bench.apply(runs[0] as PreparedRun);
        await there.bench.apply(runs[1] as PreparedRun);
        expect(there.bench.context).toEqual(here.bench.context);
      }
    };
    const oneForEach = fc.tuple(...names.map((name) => fc.tuple(growing, fc.constant(name))));
    const compareAll = async (all: readonly (readonly [readonly [Conversation, Conversation], string])[]) => {
      for (const [conversations, strategy] of all) await compare(conversations, strategy);
    };
    await fc.assert(fc.asyncProperty(oneForEach, compareAll), { numRuns: 3 });
    expect(notices).toEqual([]);
  });

  it('counts as the main thread does, and fills the ledger', async () => {
    const { threads } = threadsWith();
    const { bench, ledger } = benchOf(session, threads);
    await bench.countAhead(new AbortController().signal);
    const parts = session.entries.flatMap((entry) => entry.parts);
    expect(parts.filter((part) => !ledger.has(part))).toEqual([]);
    expect(bench.context).toEqual(benchOf(session).bench.context);
  });

  it('copies nothing to a thread that only counts', async () => {
    const program = await realUntil('process.exit(1);', 'entries');
    const { threads, notices } = threadsWith({ program });
    const { bench, ledger } = benchOf(session, threads);
    await bench.countAhead(new AbortController().signal);
    expect(session.entries.filter((entry) => entry.parts.some((part) => !ledger.has(part)))).toEqual([]);
    expect(notices).toEqual([]);
  });

  it('reports progress', async () => {
    const { threads } = threadsWith();
    const told: string[] = [];
    const { bench } = benchOf(session, threads);
    await bench.prepare(orderOf({ onProgress: ({ strategy }) => told.push(strategy) }));
    expect(told.length).toBeGreaterThan(0);
  });

  it('a run in a thread has a model asked on the main thread, with the same outcome as without threads', async () => {
    const asked: string[] = [];
    const model: LanguageModel = {
      ...{ name: 'scripted', model: 'm1', concurrency: 2 },
      complete: async ({ user: prompt }, { onText }) => {
        asked.push(prompt);
        onText?.('Half');
        return { text: '## Goal\nRework the parts.', tokens: { input: 7, output: 3 }, isCut: false };
      },
    };
    const tools = { summarizer: modelSummarizer(model, { maxPromptTokens: 20_000 }), model, embedder: wordEmbedder };
    const order = orderOf({ strategy: 'checkpoint', tools });
    const { threads } = threadsWith();
    const there = await benchOf(session, threads).bench.prepare(order);
    const prompts = asked.splice(0);
    const here = await benchOf(session).bench.prepare(order);
    expect(prompts).toEqual(asked);
    expect(prompts.length).toBeGreaterThan(0);
    expect(bytesOf(there)).toBe(bytesOf(here));
  });

  it('a run in a thread has a summarizer of the caller’s own asked with the entries themselves', async () => {
    const own: Summarizer = {
      ...{ name: 'own', model: null, concurrency: 1 },
      summarize: async ({ turns, sections, countTokens }) => {
        const entries = turns.flatMap((turn) => turn.entries);
        expect(entries.every((entry) => session.entries.includes(entry))).toBe(true);
        const body = `## ${sections[0]}\n${entries.length} entries, ${countTokens('four words are here')} tokens.`;
        return { body, spans: [], tokensSpent: { input: 0, output: 0 }, promptHash: null };
      },
    };
    const order = orderOf({ strategy: 'checkpoint', tools: { summarizer: own, model: null, embedder: wordEmbedder } });
    const { threads } = threadsWith();
    const there = await benchOf(session, threads).bench.prepare(order);
    expect(there.records.length).toBeGreaterThan(0);
    expect(bytesOf(there)).toBe(bytesOf(await benchOf(session).bench.prepare(order)));
  });

  it('a run in a thread has failures of a model as failures of the run', async () => {
    const model: LanguageModel = {
      ...{ name: 'scripted', model: 'm1', concurrency: 1 },
      complete: async () => {
        throw new ModelFailed('refused', 'The model refused.');
      },
    };
    const tools = { summarizer: modelSummarizer(model, { maxPromptTokens: 20_000 }), model, embedder: wordEmbedder };
    const { threads } = threadsWith();
    const run = await benchOf(session, threads).bench.prepare(orderOf({ strategy: 'checkpoint', tools }));
    expect(run.records).toEqual([]);
    expect(run.failures.map(String)).toEqual([expect.stringMatching('The model refused.')]);
  });

  it('a run with a registered strategy is made on the main thread', async () => {
    const { threads, notices } = threadsWith({ program: await threadThat('process.exit(1);') });
    const remove = registerStrategy({ ...checkpointStrategy, name: 'mine' });
    try {
      const run = await benchOf(session, threads).bench.prepare(
        orderOf({ strategy: 'mine', parameters: { mine: { keepRecentTokens: 300 } } }),
      );
      expect(run.records.length).toBeGreaterThan(0);
      expect(notices).toEqual([]);
    } finally {
      remove();
    }
  });

  it('rejects at once when it is cancelled, and does not affect the next one', async () => {
    const { threads } = threadsWith();
    const { bench } = benchOf(session, threads);
    const controller = new AbortController();
    const cancelled = bench.prepare(orderOf({ signal: controller.signal }));
    controller.abort(new Error('closed'));
    await expect(cancelled).rejects.toThrow('closed');
    expect((await bench.prepare(orderOf())).records.length).toBeGreaterThan(0);
  });
});

/** The real program, which does something else with the first order of this kind. */
function realUntil(does: string, order: 'entries' | 'prepare' = 'prepare'): Promise<string> {
  return threadThat(`
    require('node:worker_threads').parentPort.on('message', ({ method }) => { if (method === '${order}') { ${does} } });
    require(${JSON.stringify(program)});
  `);
}

describe('a thread that fails', () => {
  it.each([
    ['is killed', () => realUntil('process.exit(1);'), /ended with exit code 1/],
    ['throws', () => realUntil(`throw new Error('on the rocks');`), /on the rocks/],
    ['cannot be found', async () => '/nowhere/thread.cjs', /could not be started/],
  ])('leaves the run to the main thread if it %s', async (_, failing, message) => {
    const { threads, notices } = threadsWith({ program: await failing() });
    const { bench } = benchOf(session, threads);
    const run = await bench.prepare(orderOf());
    expect(bytesOf(run)).toBe(bytesOf(await benchOf(session).bench.prepare(orderOf())));
    await bench.apply(run);
    expect(notices).toEqual([expect.stringMatching(message)]);
  });

  it('a thread that fails is not started again and again if its program is missing', async () => {
    const { threads, notices } = threadsWith({ program: '/nowhere/thread.cjs' });
    const { bench } = benchOf(session, threads);
    await bench.countAhead(new AbortController().signal);
    await bench.prepare(orderOf());
    await bench.prepare(orderOf());
    expect(notices).toHaveLength(1);
  });

  it.each([
    ['does not answer', 'for (;;);', { times: { silentMs: 300 } }, /did not answer/],
    [
      'runs out of memory',
      'for (const all = [];;) all.push({ of: [all.length] });',
      { maxMemory: 64 },
      /out of memory/,
    ],
  ])('that %s ends the run, which the main thread could not carry out either', async (_, does, options, message) => {
    const { threads } = threadsWith({ program: await realUntil(does), ...options });
    const { bench } = benchOf(session, threads);
    const before = bench.context;
    await expect(bench.prepare(orderOf())).rejects.toThrow(message);
    expect(bench.context).toEqual(before);
  });

  it('a thread that fails is followed by another one', async () => {
    const { threads } = threadsWith({ times: { idleMs: 1 } });
    const { bench } = benchOf(session, threads);
    const first = await bench.prepare(orderOf());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(bytesOf(await bench.prepare(orderOf()))).toContain(JSON.stringify(first.after).slice(0, 100));
  });
});

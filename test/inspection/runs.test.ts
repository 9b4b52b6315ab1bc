import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import { runsOf } from '../../extension/engine/journal/runs';
import { planUndo } from '../../extension/engine/journal/undo';
import { strategyChoices } from '../../extension/engine/run/prepare/registry';
import { blocksIn, recordsInContext, seqsIn } from '../../extension/engine/run/prepare/run-blocks';
import { figuresOf } from '../../extension/engine/run/prepare/run-figures';
import { sizesOfRun } from '../../extension/engine/run/prepare/run-sizes';
import type { Inspection } from '../../extension/inspection/inspection';
import { contextAsAnthropic } from '../../extension/middleware/anthropic';
import { contextAsOpenAi } from '../../extension/middleware/openai';
import { transparentSummarizer } from '../../extension/summarizers/transparent/transparent';
import { conversations } from '../builders/arbitrary';
import { assistant, call, long, result, talk, user } from '../builders/conversation';
import { inspectTalk } from '../builders/inspected';
import { smallParameters, wordEmbedder } from '../builders/run';

/**
 * Tests that a run is the unit that is listed, counted and undone, and that its figures are those of the resulting
 * context.
 */

const strategies = fc.constantFrom(...strategyChoices().map(({ name }) => name));

const acts = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('run' as const), strategy: strategies }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.option(fc.nat(9)) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('redo' as const) }) },
  ),
  { minLength: 1, maxLength: 8 },
);

function prepared(inspection: Inspection, strategy: string) {
  return inspection.prepare({
    ...{ strategy, instructions: null, parameters: smallParameters },
    tools: { summarizer: transparentSummarizer, model: null, embedder: wordEmbedder },
    signal: new AbortController().signal,
  });
}

/** Replies whose reported sizes differ from the counted ones by this ratio. */
function reported(conversation: Conversation, ratio: number): Conversation {
  let length = 0;
  const entries = conversation.entries.map((entry) => {
    length += JSON.stringify(entry.parts).length;
    const usage = { input: Math.round((ratio * length) / 3), output: 20, cacheRead: 0, cacheWrite: 0 };
    return entry.role === 'assistant' && ratio > 0 ? { ...entry, usage } : entry;
  });
  return { ...conversation, entries, agentContext: entries };
}

function bytes({ context }: Inspection): string {
  return JSON.stringify([context.messages, contextAsOpenAi(context), contextAsAnthropic(context)]);
}

function activeSeqs({ state }: Inspection): string {
  return state.compactions.flatMap(({ record, active }) => (active ? [record.seq] : [])).join(' ');
}

describe('a run', () => {
  it('promises what it leaves, is one entry, and is undone to the same bytes, whatever was run, undone and redone', () =>
    fc.assert(
      fc.asyncProperty(conversations, fc.constantFrom(0, 1.3), acts, async (drawn, ratio, steps) => {
        const inspection = await inspectTalk(reported(drawn, ratio));
        const contexts = new Map([[activeSeqs(inspection), bytes(inspection)]]);
        let applied = 0;
        for (const step of steps) {
          if (step.do === 'run') applied += await applyAndCheck(inspection, step.strategy);
          else if (step.do === 'redo') await redone(inspection);
          else await undone(inspection, step.which);
          const known = contexts.get(activeSeqs(inspection));
          if (known !== undefined) expect(bytes(inspection)).toBe(known);
          contexts.set(activeSeqs(inspection), bytes(inspection));
          expect(runsOf(inspection.state)).toHaveLength(applied);
          const { context } = inspection;
          const active = runsOf(inspection.state).map(({ blocks }) =>
            blocksIn(
              context,
              blocks.filter((each) => each.active).map(({ record }) => record),
            ),
          );
          const asMessages = context.messages.filter(({ block }) => block).length;
          expect(active.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(asMessages);
        }
        while (planUndo(inspection.state).kind === 'undoes') await inspection.undo();
        expect(bytes(inspection)).toBe(contexts.get(''));
      }),
      { numRuns: 120 },
    ));
});

/** Resolves to the number of runs that were applied. */
async function applyAndCheck(inspection: Inspection, strategy: string): Promise<0 | 1> {
  const run = await prepared(inspection, strategy);
  if (run.records.length === 0) return 0;
  const before = inspection.context.tokens.total;
  await inspection.apply(run);
  const { context, state } = inspection;
  const applied = runsOf(state).at(-1);
  if (!applied) throw new Error('the run is not listed');
  const figures = figuresOf(applied);
  expect(figures.size).toEqual({ before, after: context.tokens.total });
  expect(run.after.tokens.total).toBe(context.tokens.total);
  expect(figures.loss).toEqual(run.loss);
  expect(figures.strategies).toEqual([strategy]);
  const records = applied.blocks.map(({ record }) => record);
  const there = seqsIn(context);
  expect(recordsInContext(records)).toEqual(records.filter(({ seq }) => there.has(seq)));
  const had = run.before.messages.filter(({ kind, pruned }) => kind === 'tool_result' && !pruned).length;
  const has = run.after.messages.filter(({ kind, pruned }) => kind === 'tool_result' && !pruned).length;
  expect(run.loss?.outputs.count).toBe(had - has);
  const { blocks, added } = sizesOfRun(run);
  const standing = new Set(recordsInContext(run.records));
  const saved = run.records.reduce((sum, record, at) => {
    const { before = 0, after = 0 } = (standing.has(record) && blocks[at]) || {};
    return sum + before - after;
  }, 0);
  const { calibration } = run.before.tokens;
  const counted = (messages: readonly { tokens: number }[]) => messages.reduce((sum, { tokens }) => sum + tokens, 0);
  const lost = (counted(run.before.messages) - counted(run.after.messages)) * calibration;
  expect(Math.abs(saved - added - lost)).toBeLessThanOrEqual(2);
  return 1;
}

async function undone(inspection: Inspection, which: number | null): Promise<void> {
  const runs = runsOf(inspection.state).filter(({ active }) => active);
  const chosen = which === null ? runs.at(-1) : runs[which % Math.max(1, runs.length)];
  if (!chosen) return;
  await inspection.undo(which === null ? undefined : chosen.blocks.at(-1)?.record.seq);
  const after = runsOf(inspection.state).find(({ run }) => run === chosen.run);
  expect(after?.active).toBe(false);
  for (const { blocks } of runsOf(inspection.state)) {
    expect(new Set(blocks.map(({ active }) => active)).size).toBe(1);
  }
}

async function redone(inspection: Inspection): Promise<void> {
  if (inspection.state.redoable.length > 0) await inspection.redo();
}

const work = () =>
  talk(
    ...Array.from({ length: 14 }, (_, at) => [
      user(`Port part ${at}.`),
      call(`c${at}`, 'edit', { path: 'src/port.ts', oldText: `${at}`, newText: 'b' }),
      result(`c${at}`, long(`Part ${at} has lines.`, 40)),
      assistant(long(`Part ${at} is ported.`, 8)),
    ]).flat(),
  );

describe('a run of several blocks', () => {
  it('is undone as a whole by the number of any of its blocks, and its single blocks alone', async () => {
    const inspection = await inspectTalk(work());
    await inspection.apply(await prepared(inspection, 'pipeline'));
    const [run] = runsOf(inspection.state);
    const last = recordsInContext(run?.blocks.map(({ record }) => record) ?? []).at(-1)?.seq ?? 0;
    expect(run?.blocks.length).toBeGreaterThan(1);
    expect(await inspection.undoBlock(last)).toEqual([last]);
    expect(runsOf(inspection.state)[0]?.active).toBe(true);
    await inspection.redo();
    expect(await inspection.undo(last)).toHaveLength(run?.blocks.length ?? 0);
    expect(runsOf(inspection.state)[0]?.active).toBe(false);
    await expect(inspection.undo(last)).rejects.toThrow(/already undone/);
  });

  it('takes later runs that cover it along, as a whole', async () => {
    const inspection = await inspectTalk(work());
    await inspection.apply(await prepared(inspection, 'tool-calls'));
    await inspection.apply(await prepared(inspection, 'pipeline'));
    const [first, second] = runsOf(inspection.state);
    const plan = planUndo(inspection.state, first?.run);
    expect(plan).toEqual({
      kind: 'undoes',
      asked: first?.blocks.map(({ record }) => record.seq),
      alsoUndone: second?.blocks.map(({ record }) => record.seq),
    });
  });

  it('names a changed file once if its blocks were changed after it', async () => {
    const inspection = await inspectTalk(work());
    await inspection.apply(await prepared(inspection, 'tool-calls'));
    const loss = () => figuresOf(runsOf(inspection.state)[0] as never).loss;
    const reported = loss();
    const [block] = recordsInContext(inspection.state.compactions.map(({ record }) => record));
    await inspection.blockEditor.edit(block?.seq ?? 0, 'It was ported.');
    expect(loss()?.messages).toEqual(reported?.messages);
    expect(loss()?.outputs).toEqual(reported?.outputs);
    expect(loss()?.files.unnamed).toBeLessThanOrEqual(1);
  });
});

describe('a journal of an earlier version', () => {
  it('has runs without their strategy and loss, which are those of its blocks', async () => {
    const made = await inspectTalk(work());
    await made.apply(await prepared(made, 'pipeline'));
    const records = made.journal.records.map((record) => {
      if (record.kind !== 'compaction') return record;
      const { wholeRun: _of, contextTokens: _size, ...rest } = record;
      return rest;
    });
    const [run] = runsOf((await inspectTalk(work(), records)).state);
    const [now] = runsOf(made.state);
    const figures = figuresOf(run as never);
    expect(figures.strategies.length).toBeGreaterThan(1);
    expect(figures.size).toBeNull();
    expect(figures.loss?.messages).toEqual(figuresOf(now as never).loss?.messages);
    expect(figures.loss?.outputs).toEqual(figuresOf(now as never).loss?.outputs);
  });
});

import { describe, expect, it } from 'vitest';
import type { Parameters } from '../../../extension/engine/block/plan';
import type { Context } from '../../../extension/engine/conversation/context';
import { readableText } from '../../../extension/engine/conversation/entry';
import { forkSession } from '../../../extension/inspection/fork/fork-session';
import type { Inspection } from '../../../extension/inspection/inspection';
import { answerLoss } from '../../../extension/inspection/lookup/loss-answer';
import { NamedEntries } from '../../../extension/inspection/lookup/named-entries';
import { textOfEntry } from '../../../extension/inspection/lookup/passages';
import { answerRecall } from '../../../extension/inspection/lookup/recall-answer';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { temporaryFolders } from '../../sessions/temporary';
import { recallTool } from '../../summarizers/traced-lines';
import { copyOf, inspect } from '../fork/inspect';
import { searching } from './opened';

const temporary = temporaryFolders();

const long = 'pi-v1/until-after-first-compaction.jsonl';

/** Low enough that a short session has something to compact. */
const parameters: Readonly<Record<string, Parameters>> = {
  ...Object.fromEntries(['naive', 'checkpoint', 'codex', 'hybrid'].map((name) => [name, { keepRecentTokens: 200 }])),
  prune: { protectTokens: 100, minimumTokens: 10, protectTurns: 1 },
  cleared: { keepTokens: 0, keepToolUses: 1, clearAtLeast: 0 },
  'tool-calls': { messagesOldThreshold: 4, minToolCallsToSummarize: 1, maxToolCallDistance: 40 },
  threshold: { keepRecentTokens: 200 },
  'goal-batch': { minTurnsOldThreshold: 1, minTurnsToCompact: 1 },
};

async function opened(fixture: string, asks = true): Promise<Inspection> {
  const folder = temporary();
  const inspection = await inspect(copyOf(fixture, folder), folder);
  if (asks) inspection.recallTool = recallTool;
  return inspection;
}

async function compact(inspection: Inspection, strategy: string, targetTokens?: number): Promise<number> {
  const run = await inspection.prepare({
    ...{ strategy, instructions: null, parameters, tools: toolsWithoutModel, signal: new AbortController().signal },
    ...(targetTokens === undefined ? {} : { targetTokens }),
  });
  await inspection.apply(run);
  return run.records.length;
}

/** The references in a context: single names, and ranges. */
function referredTo({ messages }: Context): string[] {
  const text = messages.flatMap(({ parts }) => parts.map(readableText)).join('\n');
  const named = /\[(?:… [^\]]*: )?([a-z]{6}(?:\.\.[a-z]{6})?)\]|\{ "ids": \["([a-z]{6})"\] \}/g;
  return [...new Set([...text.matchAll(named)].map(([, mark, call]) => mark ?? call ?? ''))];
}

/** Everything that the agent reads for a reference. It makes one call after the other, as the answers tell it to. */
async function fetched(inspection: Inspection, reference: string): Promise<string> {
  let ids: readonly string[] = [reference];
  let all = '';
  while (ids.length > 0) {
    const budget = { tokens: 8000, count: inspection.ledger.countText };
    const answer = await answerRecall(inspection, { kind: 'fetch', ids }, budget, searching());
    const [, text = '', left] = /^[^\n]*\n(.*?)(?:\nLeft out [^\n]*: (\{.*\}))?$/s.exec(answer) ?? [];
    all += text.replace(/… \[cut\]$/, '');
    ids = left === undefined ? [] : JSON.parse(left).ids;
  }
  return all;
}

/** The text without the heading of each piece and without white space. */
const plain = (text: string) => text.replace(/\n--- [a-z]{6}(?:\/\d+)? [^\n]*/g, '').replace(/\s+/g, '');

async function expectAllFetched(inspection: Inspection, context = inspection.context): Promise<readonly string[]> {
  const references = referredTo(context);
  const named = new NamedEntries(inspection);
  for (const reference of references) {
    const all = plain(`\n${await fetched(inspection, reference)}`);
    for (const { entry } of named.findAll(reference)) expect(all).toContain(plain(textOfEntry(entry)));
  }
  return references;
}

describe('what a compaction leaves out', () => {
  it.each(['tool-calls', 'threshold', 'checkpoint', 'cleared', 'prune', 'naive', 'ladder', 'pipeline'])(
    'of %s is whole again by its references, nested and after an undo too',
    async (strategy) => {
      const inspection = await opened(long);
      const half = Math.round(inspection.context.tokens.total / 2);
      expect(await compact(inspection, strategy, strategy === 'ladder' ? half : undefined)).toBeGreaterThan(0);
      const first = inspection.context;
      expect((await expectAllFetched(inspection)).length).toBeGreaterThan(0);
      await compact(inspection, 'naive');
      expect((await expectAllFetched(inspection)).length).toBeGreaterThan(0);
      await inspection.undo();
      await inspection.undo();
      await expectAllFetched(inspection, first);
    },
    30_000,
  );

  it('of a goal batch over summaries is whole again by its references', async () => {
    const inspection = await opened(long);
    await compact(inspection, 'threshold');
    expect(await compact(inspection, 'goal-batch')).toBeGreaterThan(0);
    expect((await expectAllFetched(inspection)).length).toBeGreaterThan(0);
  });

  it('has no reference for an agent that cannot ask', async () => {
    for (const strategy of ['naive', 'cleared', 'prune', 'tool-calls']) {
      const inspection = await opened(long, false);
      expect(await compact(inspection, strategy)).toBeGreaterThan(0);
      expect(referredTo(inspection.context)).toEqual([]);
      expect(inspection.context.messages.flatMap(({ parts }) => parts.map(readableText)).join()).not.toContain(
        recallTool,
      );
    }
  });

  it('says that the same call returns it again, if it does', async () => {
    const inspection = await opened(long);
    await compact(inspection, 'cleared');
    const lines = inspection.context.messages.flatMap(({ parts }) =>
      parts.map(readableText).filter((text) => text.startsWith('[CLEARED]')),
    );
    expect(
      lines.some((line) =>
        /read .*: \d+ lines\. It was not edited here since; the same call gives it again\.$/.test(line),
      ),
    ).toBe(true);
    expect(lines.some((line) => /bash .*\. All of it: strata_recall \{ "ids": \["[a-z]{6}"\] \}\.$/.test(line))).toBe(
      true,
    );
    expect(lines.every((line) => !line.includes('Call it again if'))).toBe(true);
  });

  it('keeps to the size that a block may have', async () => {
    const [with_, without] = await Promise.all([opened(long), opened(long, false)]);
    for (const inspection of [with_, without]) await compact(inspection, 'ladder', 6000);
    expect(with_.context.tokens.total).toBeLessThanOrEqual(6000);
    expect(without.context.tokens.total).toBeLessThanOrEqual(6000);
  });
});

describe('in a fork', () => {
  it.each([
    'pi-0.87/before-compaction.jsonl',
    'pi-0.87/after-compaction.jsonl',
    'claude-code-2.1.330/before-compaction.jsonl',
    'codex-0.169/after-compaction.jsonl',
    'qwen-code-0.24/chats/8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl',
  ])('of %s, its own session has what its blocks refer to', async (fixture) => {
    for (const strategy of ['naive', 'prune', 'cleared', 'tool-calls']) {
      const folder = temporary();
      const inspection = await inspect(copyOf(fixture, folder), folder);
      inspection.recallTool = recallTool;
      if ((await compact(inspection, strategy)) === 0) continue;
      const fork = await forkSession(inspection);
      const forked = await inspect(fork.file, folder);
      expect(await expectAllFetched(forked)).toEqual(referredTo(inspection.context));
      const again = await forkSession(forked);
      await expectAllFetched(await inspect(again.file, folder));
    }
  });
});

describe('what the agent’s own compaction removed', () => {
  it('is named by the list of what was lost, and read by that', async () => {
    const inspection = await opened(long);
    const lost = answerLoss(inspection, null, { tokens: 4000, count: inspection.ledger.countText });
    const references = [...lost.matchAll(/ \[([a-z]{6})\]$/gm)].map(([, name = '']) => name);
    expect(references.length).toBeGreaterThan(3);
    const named = new NamedEntries(inspection);
    for (const reference of references) {
      const { entry, absentBecause } = named.find(reference);
      expect(absentBecause).toContain('own compaction');
      expect(plain(`\n${await fetched(inspection, reference)}`)).toBe(plain(textOfEntry(entry)));
    }
  });
});

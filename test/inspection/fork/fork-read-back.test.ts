import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Context, ContextMessage } from '../../../extension/engine/conversation/context';
import { isPrompt, textOf } from '../../../extension/engine/conversation/entry';
import { turnNumbers } from '../../../extension/engine/conversation/turn-numbers';
import { planUndo } from '../../../extension/engine/journal/undo';
import { tokensReplaced } from '../../../extension/engine/run/prepare/run-sizes';
import { forkSession } from '../../../extension/inspection/fork/fork-session';
import { historyOf } from '../../../extension/inspection/history';
import type { Inspection } from '../../../extension/inspection/inspection';
import { headAndTail, longEndBytes } from '../../../extension/platform/files/head-and-tail';
import { lineFormats } from '../../../extension/sessions/adapters';
import { toolsWithoutModel } from '../../../extension/summarizers/without-model';
import { smallParameters } from '../../builders/run';
import { textsOf } from '../../sessions/forking';
import { temporaryFolders } from '../../sessions/temporary';
import { someTurns, type WriteSession, type WrittenTurn, written } from '../../sessions/written-sessions';
import { compact, copyOf, inspect } from './inspect';

const temporary = temporaryFolders();

const samples = [
  { name: 'Claude Code', fixture: 'claude-code-2.1.330/before-compaction.jsonl' },
  { name: 'Claude Code after its own compaction', fixture: 'claude-code-2.1.330/after-compaction.jsonl' },
  { name: 'Codex', fixture: 'codex-0.169/after-compaction.jsonl' },
  { name: 'pi', fixture: 'pi-0.87/before-compaction.jsonl' },
  { name: 'pi 0.73', fixture: 'pi-0.73/before-compaction.jsonl' },
  { name: 'Qwen Code', fixture: 'qwen-code-0.24/chats/8f65f7d2-9473-44b9-aa61-d198644549bc.jsonl' },
];

describe.each(samples)('a fork of a real session of $name', ({ fixture }) => {
  it('is read again with the same blocks, core and size', async () => {
    const folder = temporary();
    const inspection = await inspect(copyOf(fixture, folder), folder);
    await compact(inspection);
    await inspection.coreEditor.pin('constraint', 'Never touch the database.', null);
    await expectSame(inspection, folder);
  });
});

describe.each(written)('a fork of a session of $agent', ({ agent, name, write }) => {
  it('is read again with the same blocks, core and size, whatever was compacted and undone before', async () => {
    await fc.assert(
      fc.asyncProperty(someTurns, fc.array(act, { minLength: 1, maxLength: 4 }), async (turns, acts) => {
        const folder = temporary();
        const inspection = await inspect(writeSession(join(folder, 'sessions', name), write, turns), folder);
        expect(inspection.session.agent).toBe(agent);
        for (const { kind, strategy } of acts) await perform(inspection, kind, strategy);
        const forked = await expectSame(inspection, folder);
        expectFates(inspection, forked);
        // A fork of the fork must show the same.
        await expectSame(forked, folder);
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });
});

const act = fc.record({
  kind: fc.constantFrom('compact', 'compact', 'compact', 'undo', 'pin'),
  strategy: fc.constantFrom('ladder', 'pipeline', 'checkpoint', 'codex', 'naive', 'goal-batch', 'tool-calls'),
});

function writeSession(file: string, write: WriteSession, turns: readonly WrittenTurn[]): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${textsOf(write(turns)).join('\n')}\n`);
  return file;
}

const parameters = {
  ...smallParameters,
  ladder: { keepRecentTokens: 300 },
  'goal-batch': { minTurnsOldThreshold: 4, minTurnsToCompact: 1 },
  'tool-calls': { messagesOldThreshold: 4, minToolCallsToSummarize: 1 },
};

async function perform(inspection: Inspection, kind: string, strategy: string): Promise<void> {
  if (kind === 'pin') {
    await inspection.coreEditor.pin('constraint', `Rule ${inspection.state.items.length}.`, null);
    return;
  }
  if (kind === 'undo') {
    const plan = planUndo(inspection.state);
    if (plan.kind === 'undoes') await inspection.undo();
    return;
  }
  const { signal } = new AbortController();
  const order = { strategy, instructions: null, parameters, tools: toolsWithoutModel, signal, target: 3000 };
  const run = await inspection.prepare(order);
  if (run.records.length === 0) return;
  await inspection.apply(run);
  expect(inspection.context.tokens.total).toBe(run.after.tokens.total);
}

/** The numbers of the turns whose prompts are in the context. */
function turnsOf({ context, conversation }: Inspection): (number | undefined)[] {
  const numbers = turnNumbers(conversation);
  return context.messages.filter(({ kind }) => kind === 'user').map(({ key }) => numbers.get(key));
}

/** After Strata's compaction in a fork, the chart must drop once and then stay at the size that the gauge shows. */
function expectOneDrop(forked: Inspection): void {
  const { points, marks } = historyOf(forked);
  const last = marks.at(-1);
  const after = points.slice(points.findLastIndex(({ step, isMarked }) => isMarked && step === last?.step));
  const sizes = after.map(({ tokens }) => tokens);
  expect(sizes.at(-1)).toBe(forked.context.tokens.total);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(forked.context.tokens.total * 0.02);
}

async function expectSame(inspection: Inspection, folder: string): Promise<Inspection> {
  const { context, session } = inspection;
  const fork = await forkSession(inspection);
  const forked = await inspect(fork.file, folder);
  expect(made(forked.context)).toEqual(made(context));
  expect(replacedBy(forked)).toEqual(replacedBy(inspection));
  expect(turnsOf(forked)).toEqual(turnsOf(inspection));
  expectOneDrop(forked);
  expect(forked.session.predecessor).toMatchObject({ id: session.id, file: session.file });
  expect(forked.session.title).not.toBe(session.title);
  const promised = context.tokens.total;
  expect(Math.abs(forked.context.tokens.total - promised)).toBeLessThan(promised * 0.02);
  const ends = await headAndTail(fork.file, longEndBytes);
  if (ends.kind !== 'ends') throw new Error(String(ends.message));
  const format = lineFormats.find(({ agent }) => agent === fork.agent);
  const outline = format?.summarise(ends);
  expect(outline?.title).toBe(forked.session.title);
  expect(Math.abs((outline?.fill?.tokens ?? 0) - promised)).toBeLessThan(promised * 0.02);
  return forked;
}

/** Counted tokens of the messages that each block of Strata replaces. */
function replacedBy({ context, state }: Inspection): (number | undefined)[] {
  const replaced = tokensReplaced(state);
  return context.messages.flatMap(({ block, forked }) => {
    if (block) return [replaced.get(block.seq)];
    return forked ? [forked.tokensBefore] : [];
  });
}

/** The parts of a context that Strata wrote. */
function made({ messages }: Context): string[] {
  const own = messages.filter(({ kind }) => kind === 'core' || kind === 'summary' || kind === 'goal_batch');
  return own.map((message) => `${message.kind} ${typeOf(message)}\n${textOf(message.parts).trim()}`);
}

function typeOf({ block, forked }: ContextMessage): string {
  const { strategy, metadata } = block ?? forked ?? {};
  return `${strategy} ${metadata?.summary_type} ${metadata?.turn_count}`;
}

/** Asserts that the fork lacks each message of the person that Strata reported as lost, and has each other one. */
function expectFates({ state, conversation }: Inspection, forked: Inspection): void {
  const standing = state.compactions.filter(({ active }) => active).map(({ record }) => record);
  const gone = new Set<string>();
  for (const { entryIds, loss } of standing) {
    for (const id of entryIds) gone.delete(id);
    for (const { fate, entryId } of loss?.messages.listed ?? []) if (fate === 'gone') gone.add(entryId);
  }
  const said = forked.context.messages.map(({ parts }) => textOf(parts)).join('\n');
  for (const { id, parts } of conversation.entries.filter(isPrompt)) {
    const beginning = /^Request \d+ of this session\./.exec(textOf(parts))?.[0] ?? '';
    expect([id, said.includes(beginning)]).toEqual([id, !gone.has(id)]);
  }
}

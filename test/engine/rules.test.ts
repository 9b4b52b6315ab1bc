import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompactionPlan, replacedMessages } from '../../extension/engine/block/plan';
import { blockForm, type Context, type ContextMessage } from '../../extension/engine/conversation/context';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import { readableText, textOf, toolCalls, toolResults } from '../../extension/engine/conversation/entry';
import { opensTurn, segmentsOf } from '../../extension/engine/conversation/turns';
import type { CoreItem } from '../../extension/engine/core/core';
import { foldJournal, type JournalState } from '../../extension/engine/journal/journal-state';
import type { JournalRecord } from '../../extension/engine/journal/records';
import { planRedo, planUndo } from '../../extension/engine/journal/undo';
import { strategyChoices, untouchedFrom } from '../../extension/engine/run/prepare/registry';
import { contextAsAnthropic } from '../../extension/middleware/anthropic';
import { contextAsOpenAi } from '../../extension/middleware/openai';
import { conversations, growing } from '../builders/arbitrary';
import { excluding } from '../builders/exclusion';
import { compact, contextOf, emptyState, smallParameters } from '../builders/run';

/** The rules that always hold, for every strategy, over random conversations. */

const strategies = fc.constantFrom(...strategyChoices().map((choice) => choice.name));

const fiveStrategies = fc.array(strategies, { minLength: 5, maxLength: 5 });

function rule(sentence: string, holds: (conversation: Conversation, strategy: string) => Promise<void>): void {
  it(sentence, () => fc.assert(fc.asyncProperty(conversations, strategies, holds), { numRuns: 150 }));
}

describe('the rules that always hold', () => {
  rule(
    'a tool result never appears without its call, nor a call without its result',
    async (conversation, strategy) => {
      const { after } = await compact(conversation, { strategy });
      expect(unpaired(after)).toEqual(unpaired(contextOf(conversation)));
    },
  );

  rule('a turn is never split: a block stands within one turn, or for whole turns', async (conversation, strategy) => {
    const { plans, before } = await compact(conversation, { strategy });
    for (const plan of plans) {
      const { covers } = blockForm(plan.summaryType);
      if (covers === 'replies') expect(plan.turns).toHaveLength(1);
      if (covers === 'turns') expectWholeTurns(plan, before);
    }
  });

  rule('every entry is in the context itself or beneath exactly one block', async (conversation, strategy) => {
    const { after } = await compact(conversation, { strategy });
    const ids = after.messages.flatMap((message) => message.entryIds);
    expect([...ids].sort()).toEqual(conversation.agentContext.map((entry) => entry.id).sort());
  });

  rule(
    'the live prompt and what is younger than the age line are never touched; most strategies leave the whole live turn',
    async (conversation, strategy) => {
      const { before, after, plans } = await compact(conversation, { strategy });
      const choice = strategyChoices().find(({ name }) => name === strategy);
      if (!choice) throw new Error(strategy);
      const from = untouchedFrom(choice, { messages: before.messages, floorTokens: 0 }, smallParameters);
      const untouched = before.messages.slice(from);
      const live = liveTurn(before);
      const cutsTail = choice.steps.some(({ room }) => room !== undefined);
      const entersLiveTurn = choice.aim !== undefined || cutsTail || ['superseded', 'cleared'].includes(strategy);
      const prompt = live.filter(opensTurn).slice(-1);
      for (const message of entersLiveTurn ? prompt : live) expect(after.messages).toContain(message);
      if (!entersLiveTurn) expect(untouched.length).toBeGreaterThanOrEqual(live.length);
      expect(after.messages.slice(after.messages.length - untouched.length)).toEqual(untouched);
      for (const plan of plans) for (const message of replacedMessages(plan)) expect(message.kind).not.toBe('system');
    },
  );

  rule('the same input gives the same plan', async (conversation, strategy) => {
    const [first, second] = [await compact(conversation, { strategy }), await compact(conversation, { strategy })];
    expect(second.records).toEqual(first.records);
    expect(second.notes).toEqual(first.notes);
  });

  rule('a block is smaller than what it replaces', async (conversation, strategy) => {
    const { records, before, after } = await compact(conversation, { strategy });
    for (const record of records) expect(record.tokensAfter).toBeLessThan(record.tokensBefore);
    const core = after.tokens.byKind.core;
    if (records.length > 0) expect(after.tokens.total - core).toBeLessThan(before.tokens.total);
  });

  rule('no text that Strata writes has half a surrogate pair', async (conversation, strategy) => {
    const { records, after } = await compact(conversation, { strategy });
    const cores = after.messages.filter(({ kind }) => kind === 'core').map(({ parts }) => textOf(parts));
    const written = records.flatMap(({ text, resultTexts = {} }) => [text, ...Object.values(resultTexts)]);
    for (const text of [...written, ...cores]) expect(text.isWellFormed()).toBe(true);
  });

  rule('undo gives back the context from before, byte for byte', async (conversation, strategy) => {
    const { records } = await compact(conversation, { strategy });
    const undone = undoAll(foldJournal(records));
    expect(bytes(contextOf(conversation, undone))).toBe(bytes(contextOf(conversation)));
  });

  rule('redo gives back the context from before the undo, byte for byte', async (conversation, strategy) => {
    const { records, after } = await compact(conversation, { strategy });
    const undone = undoAll(foldJournal(records));
    const redone = redo(undone);
    expect(bytes(contextOf(conversation, redone))).toBe(bytes(after));
  });

  rule('active items of the core stand verbatim, once, in every context', async (conversation, strategy) => {
    const pins = [pin(0, 'constraint', 'Never touch legacy/.\nNot even its tests.'), pin(1, 'goal', 'Support TOML.')];
    const { after } = await compact(conversation, { strategy, state: foldJournal(pins) });
    const cores = after.messages.filter((message) => message.kind === 'core');
    expect(cores).toHaveLength(1);
    const text = textOf(cores[0]?.parts ?? []);
    for (const { item } of pins) expect(text.split(item.text)).toHaveLength(2);
  });

  rule('the extractive summarizer only says what an entry says', async (conversation, strategy) => {
    const { records } = await compact(conversation, { strategy });
    const texts = new Map(conversation.entries.map((entry) => [entry.id, oneSpaced(entry.parts.map(said).join(' '))]));
    for (const span of records.flatMap((record) => record.spans)) {
      expect(texts.get(span.entryId)).toContain(oneSpaced(span.text.replace(/…$/, '')));
    }
  });

  rule('the parts of the gauge add up to its total', async (conversation, strategy) => {
    const { before, after } = await compact(conversation, { strategy });
    for (const { tokens } of [before, after]) {
      expect(Object.values(tokens.byKind).reduce((sum, count) => sum + count, 0)).toBe(tokens.total);
    }
  });
});

describe('the random conversations of these tests', () => {
  const sample = fc.sample(conversations, { numRuns: 60, seed: 1 });
  for (const { name } of strategyChoices()) {
    it(`the random conversations of these tests give ${name} something to do in a fair share of the cases`, async () => {
      const runs = await Promise.all(sample.map((conversation) => compact(conversation, { strategy: name })));
      const records = runs.map((run) => run.records);
      const batches = records.flat().filter((record) => record.summaryType === 'goal_batch');
      if (name === 'pipeline') expect(batches.length).toBeGreaterThan(1);
      if (name !== 'goal-batch') expect(records.filter((made) => made.length > 0).length).toBeGreaterThan(5);
    });
  }
});

describe('over the life of a session', () => {
  it('undoes any order of compactions, undos and redos to what the agent itself would send', () =>
    fc.assert(
      fc.asyncProperty(
        growing,
        fc.array(fc.nat(), { maxLength: 12 }),
        strategies,
        async ([young, old], acts, first) => {
          let state = foldJournal((await compact(young, { strategy: first })).records);
          for (const [step, act] of acts.entries()) state = await actOn(step % 2 ? old : young, state, act);
          expect(bytes(contextOf(old, undoAll(state)))).toBe(bytes(contextOf(old)));
        },
      ),
      { numRuns: 80 },
    ));

  it('restores messages in their places when an undo follows more turns, and keeps the newer turns', () =>
    fc.assert(
      fc.asyncProperty(growing, async ([young, old]) => {
        const { records } = await compact(young);
        expect(bytes(contextOf(old, undoAll(foldJournal(records))))).toBe(bytes(contextOf(old)));
      }),
      { numRuns: 80 },
    ));

  it('neither grows the context nor loses an entry in five compactions by any strategies', () =>
    fc.assert(
      fc.asyncProperty(conversations, fiveStrategies, async (conversation, chosen) => {
        let state: JournalState = emptyState;
        let tokens = Number.POSITIVE_INFINITY;
        for (const strategy of chosen) {
          const { records, after } = await compact(conversation, { strategy, state });
          state = foldJournal(records, state);
          const halo = after.tokens.total - after.tokens.byKind.core;
          expect(halo).toBeLessThanOrEqual(tokens);
          tokens = halo;
        }
        const ids = contextOf(conversation, state).messages.flatMap((message) => message.entryIds);
        expect([...ids].sort()).toEqual(conversation.entries.map((entry) => entry.id).sort());
      }),
      { numRuns: 60 },
    ));
});

async function actOn(conversation: Conversation, state: JournalState, act: number): Promise<JournalState> {
  if (act % 3 === 0) {
    const choices = strategyChoices();
    const strategy = choices[act % choices.length]?.name ?? '';
    return foldJournal((await compact(conversation, { strategy, state })).records, state);
  }
  if (act % 7 === 1) return await excluding(conversation, keyAt(conversation, state, act), state);
  if (act % 3 === 1) return redo(state);
  const compaction = state.compactions[act % Math.max(1, state.compactions.length)];
  return undo(state, compaction?.record.seq);
}

function keyAt(conversation: Conversation, state: JournalState, at: number): string {
  const { messages } = contextOf(conversation, state);
  return messages[at % Math.max(1, messages.length)]?.key ?? '';
}

function undo(state: JournalState, seq?: number): JournalState {
  const plan = planUndo(state, seq);
  if (plan.kind !== 'undoes') return state;
  const compactions = [...plan.asked, ...plan.alsoUndone];
  return foldJournal([{ kind: 'undo', seq: state.lastSeq + 1, time: '', compactions }], state);
}

function redo(state: JournalState): JournalState {
  const plan = planRedo(state);
  if (plan.kind !== 'redoes') return state;
  return foldJournal([{ kind: 'redo', seq: state.lastSeq + 1, time: '', compactions: plan.compactions }], state);
}

function undoAll(state: JournalState): JournalState {
  let left = state;
  while (planUndo(left).kind === 'undoes') left = undo(left);
  return left;
}

function pin(seq: number, kind: CoreItem['kind'], text: string): JournalRecord & { item: CoreItem } {
  const item: CoreItem = { id: `p${seq}`, kind, text, rationale: null, timestamp: '', entryId: null, status: 'active' };
  return { kind: 'pin', seq, time: '', item };
}

/**
 * Asserts that of each turn, the plan replaces all messages of the agent or none. Plans over earlier blocks of the same
 * run are left out, because they refer to an intermediate context.
 */
function expectWholeTurns(plan: CompactionPlan, { messages }: Context): void {
  if (replacedMessages(plan).some((message) => message.block)) return;
  const taken = new Set(replacedMessages(plan).flatMap((message) => message.entryIds));
  for (const { start, end } of segmentsOf(messages)) {
    const halo = messages.slice(start, end).filter(({ kind }) => !['system', 'core', 'user'].includes(kind));
    const ids = halo.flatMap((message) => message.entryIds);
    expect([0, ids.length]).toContain(ids.filter((id) => taken.has(id)).length);
  }
}

function unpaired({ messages }: Context): string[] {
  const parts = messages.flatMap((message) => message.parts);
  const called = new Set(toolCalls(parts).map((part) => part.callId));
  const answered = new Set(toolResults(parts).map((part) => part.callId));
  return [...called, ...answered].filter((id) => !called.has(id) || !answered.has(id));
}

function liveTurn({ messages }: Context): readonly ContextMessage[] {
  return messages.slice(segmentsOf(messages).at(-1)?.start ?? 0);
}

function bytes(context: Context): string {
  return JSON.stringify([context, contextAsOpenAi(context), contextAsAnthropic(context)]);
}

function said(part: Parameters<typeof readableText>[0]): string {
  return part.type === 'tool_call' ? Object.values(part.input as object).join(' ') : readableText(part);
}

function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

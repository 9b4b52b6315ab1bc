import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replacedMessages } from '../../../extension/engine/block/plan';
import type { Context, ContextMessage } from '../../../extension/engine/conversation/context';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { toolCalls, toolResults } from '../../../extension/engine/conversation/entry';
import { segmentsOf } from '../../../extension/engine/conversation/turns';
import { foldJournal, type JournalState } from '../../../extension/engine/journal/journal-state';
import { planUndo } from '../../../extension/engine/journal/undo';
import { policyStrategies } from '../../../extension/engine/policies/policy-list';
import type { PreparedRun } from '../../../extension/engine/run/prepare/prepared-run';
import { conversations, growing } from '../../builders/arbitrary';
import { compact, contextOf, emptyState } from '../../builders/run';

/**
 * Tests that hold for every policy over every conversation. Each is run twice, so that the second run replaces blocks
 * of the first.
 */

const strategies = fc.constantFrom(...policyStrategies.map(({ name }) => name));

function rule(sentence: string, holds: (run: PreparedRun, conversation: Conversation) => void): void {
  it(sentence, () =>
    fc.assert(
      fc.asyncProperty(growing, strategies, async ([young, old], strategy) => {
        const first = await compact(young, { strategy });
        holds(first, young);
        holds(await compact(old, { strategy, state: foldJournal(first.records) }), old);
      }),
      { numRuns: 80 },
    ),
  );
}

describe('rules that always hold, for policies', () => {
  rule(
    'only whole turns are replaced, without their standing instructions, and never the live one',
    ({ before, plans }) => {
      const live = before.messages.slice(segmentsOf(before.messages).at(-1)?.start ?? 0);
      const segments = segmentsOf(before.messages).map(({ start, end }) => before.messages.slice(start, end));
      for (const plan of plans) {
        const replaced = new Set(replacedMessages(plan));
        expect(live.some((message) => replaced.has(message))).toBe(false);
        for (const segment of segments) {
          const halo = segment.filter(({ kind }) => kind !== 'system');
          expect([0, halo.length]).toContain(segment.filter((message) => replaced.has(message)).length);
        }
      }
    },
  );

  rule('no call is parted from its result', ({ before, after }) => {
    expect(unpaired(after)).toEqual(unpaired(before));
  });

  rule('every entry is in the context itself or beneath exactly one block', ({ after }, conversation) => {
    const ids = after.messages.flatMap((message) => message.entryIds);
    expect([...ids].sort()).toEqual(conversation.agentContext.map((entry) => entry.id).sort());
  });

  rule('a block stands for as many history entries as it says', ({ plans, records }) => {
    for (const [index, record] of records.entries()) {
      const messages = plans[index] ? replacedMessages(plans[index]) : [];
      expect(record.entriesSummarized).toBe(messages.reduce((total, message) => total + entriesOf(message), 0));
    }
  });

  rule('the context gets smaller, and undo gives it back', ({ records, before, after }, conversation) => {
    const grown = after.tokens.total - after.tokens.byKind.core - (before.tokens.total - before.tokens.byKind.core);
    if (records.length > 0) expect(grown).toBeLessThan(0);
    if (before.messages.every((message) => !message.block))
      expect(contextOf(conversation, undone(records))).toEqual(contextOf(conversation));
  });

  it('policies give the same records for the same input', () =>
    fc.assert(
      fc.asyncProperty(conversations, strategies, async (conversation, strategy) => {
        const [one, other] = [await compact(conversation, { strategy }), await compact(conversation, { strategy })];
        expect([other.records, other.notes]).toEqual([one.records, one.notes]);
      }),
      { numRuns: 80 },
    ));

  it('policies are tested with conversations in which each has something to do', async () => {
    const sample = fc.sample(conversations, { numRuns: 100, seed: 1 });
    for (const { name: strategy } of policyStrategies) {
      const runs = await Promise.all(sample.map((conversation) => compact(conversation, { strategy })));
      expect(runs.filter(({ records }) => records.length > 0).length, strategy).toBeGreaterThan(20);
    }
  });
});

/**
 * The number of history entries: a person's message is one, and so is a reply. Results belong to their reply. All
 * random calls have a result.
 */
function entriesOf({ block, role, injected, kind }: ContextMessage): number {
  if (block) return block.metadata.entries_summarized ?? 1;
  return role === 'assistant' || kind === 'summary' || (kind === 'user' && !injected) ? 1 : 0;
}

function unpaired({ messages }: Context): string[] {
  const parts = messages.flatMap((message) => message.parts);
  const called = new Set(toolCalls(parts).map((part) => part.callId));
  const answered = new Set(toolResults(parts).map((part) => part.callId));
  return [...called, ...answered].filter((id) => !called.has(id) || !answered.has(id));
}

function undone(records: PreparedRun['records']): JournalState {
  const state = records.length === 0 ? emptyState : foldJournal(records);
  const plan = planUndo(state);
  if (plan.kind !== 'undoes') return state;
  const compactions = [...plan.asked, ...plan.alsoUndone];
  return foldJournal([{ kind: 'undo', seq: state.lastSeq + 1, time: '', compactions }], state);
}

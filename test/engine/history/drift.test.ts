import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { isPrompt, textOf } from '../../../extension/engine/conversation/entry';
import { foldJournal, type JournalState } from '../../../extension/engine/journal/journal-state';
import { type History, historyOf } from '../../../extension/inspection/history';
import { summarised } from '../../builders/agent-compaction';
import { conversations } from '../../builders/arbitrary';
import { assistant, long, quickLedger, type Said, talk, user } from '../../builders/conversation';
import { compact, contextOf, emptyState } from '../../builders/run';

const ledger = quickLedger();

function history(conversation: Conversation, state: JournalState = emptyState): History {
  return historyOf({ conversation, state, context: contextOf(conversation, state), ledger });
}

function driftsOf(conversation: Conversation, state?: JournalState) {
  return history(conversation, state).marks.map(({ drift }) => drift);
}

const asked = [
  user('Move the session picker into the command line folder. Never touch the config loader.'),
  assistant(long('I moved it.')),
  user('Write a migration for the customers table.'),
  assistant(long('It is written.')),
];
const more: Said[] = Array.from({ length: 12 }, (_, at) => [
  user(`Go on (${at}).`),
  assistant(long(`Step ${at}.`)),
]).flat();

function pinned(texts: readonly string[], time = '2025-12-31T00:00:00.000Z'): JournalState {
  return foldJournal(
    texts.map((text, seq) => ({
      ...({ kind: 'pin', seq, time } as const),
      item: {
        id: `i${seq}`,
        kind: 'constraint',
        text,
        rationale: null,
        timestamp: time,
        entryId: null,
        status: 'active',
      },
    })),
  );
}

describe('drift of goals', () => {
  it('distinguishes the first request, the newest at the time, and the newest now', () => {
    const conversation = summarised(asked, '> Write a migration for the customers table.', [
      user('Deploy the new version to the staging server.'),
      assistant('It runs there.'),
    ]);
    expect(history(conversation).marks.map(({ goals }) => goals)).toEqual([
      { original: 'gone', before: 'whole', current: null },
    ]);
  });

  it('reports a request once if it is both the first and the newest', () => {
    const conversation = summarised(asked.slice(0, 2), 'Move the session picker into the [… ', []);
    expect(history(conversation).marks.map(({ goals }) => goals)).toEqual([
      { original: 'shortened', before: null, current: null },
    ]);
  });
});

describe('drift', () => {
  it('drift has no marks if nothing was compacted', () => {
    const { marks, messages } = history(talk(asked));
    expect(marks).toEqual([]);
    expect(messages).toBe(2);
  });

  it('reports how much of the first messages an agent’s summary contains', () => {
    const summary = [
      'User: “Move the session picker into the command line folder. Never touch the config loader.”',
      'I wrote a migration.',
    ].join('\n');
    expect(driftsOf(summarised(asked, summary, []))).toEqual([{ whole: 1, shortened: 0, gone: 1 }]);
  });

  it('counts messages said after the compaction as whole', () => {
    const conversation = summarised(asked.slice(0, 2), 'nothing of it', asked.slice(2));
    expect(driftsOf(conversation)).toEqual([{ whole: 1, shortened: 0, gone: 1 }]);
  });

  it('counts repeated messages as whole, with the entry that repeats them', () => {
    const again = summarised([...asked, user('Write a migration for the customers table.')], 'nothing of it', []);
    expect(driftsOf(again)).toEqual([{ whole: 0, shortened: 0, gone: 2 }]);
    const kept = { ...again, agentContext: again.entries.slice(4) };
    const [compaction] = again.agentCompactions;
    const agentCompactions = compaction
      ? [{ ...compaction, replacedEntryIds: compaction.replacedEntryIds.slice(0, 4) }]
      : [];
    expect(driftsOf({ ...kept, agentCompactions })).toEqual([{ whole: 1, shortened: 0, gone: 1 }]);
  });

  it('drift is unknown for an encrypted summary', () => {
    const conversation = summarised(asked, '', []);
    const agentCompactions = conversation.agentCompactions.map((one) => ({ ...one, isOpaque: true as const }));
    expect(driftsOf({ ...conversation, agentCompactions })).toEqual([null]);
  });

  it('ignores a run that is undone, and judges other runs without it', async () => {
    const conversation = talk(asked, more);
    const { records } = await compact(conversation, { strategy: 'naive' });
    const undo = {
      kind: 'undo',
      seq: 99,
      time: '2026-01-02T00:00:00.000Z',
      compactions: records.map(({ seq }) => seq),
    };
    const state = foldJournal([...records, undo as never]);
    expect(driftsOf(conversation, state)).toEqual([null]);
    const second = await compact(conversation, { strategy: 'checkpoint', state });
    const [first, then] = driftsOf(conversation, foldJournal(second.records, state));
    expect(first).toBeNull();
    expect(then && then.whole + then.shortened + then.gone).toBe(history(conversation).messages);
  });

  it('counts pinned messages as whole from then on', async () => {
    const conversation = talk(asked, more);
    const all = conversation.entries.filter(isPrompt).map(({ parts }) => textOf(parts));
    const run = await compact(conversation, { strategy: 'checkpoint', verification: 'report', state: pinned(all) });
    const [drift] = driftsOf(conversation, foldJournal(run.records, pinned(all)));
    expect(drift).toEqual({ whole: 5, shortened: 0, gone: 0 });
    const later = pinned(all, '2026-06-01T00:00:00.000Z');
    const before = await compact(conversation, { strategy: 'codex', verification: 'report' });
    const shifted = before.records.map((record) => ({ ...record, seq: record.seq + 10, run: record.run + 10 }));
    expect(driftsOf(conversation, foldJournal(shifted, later))).toEqual(
      driftsOf(conversation, foldJournal(before.records)),
    );
  });

  it('accounts for every followed message after every compaction', async () => {
    await fc.assert(
      fc.asyncProperty(
        conversations,
        fc.subarray(['pipeline', 'checkpoint', 'prune', 'naive', 'goal-batch']),
        async (conversation, strategies) => {
          let state = emptyState;
          for (const strategy of strategies) {
            state = foldJournal((await compact(conversation, { strategy, state })).records, state);
          }
          const { marks, messages } = history(conversation, state);
          for (const { drift } of marks) {
            if (drift) expect(drift.whole + drift.shortened + drift.gone).toBe(messages);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('counts messages pinned word for word as whole, whatever is compacted', async () => {
    await fc.assert(
      fc.asyncProperty(
        conversations,
        fc.constantFrom('pipeline', 'checkpoint', 'naive'),
        async (conversation, strategy) => {
          const texts = conversation.entries.filter(isPrompt).map(({ parts }) => textOf(parts));
          const state = pinned([...new Set(texts)]);
          const run = await compact(conversation, { strategy, state, verification: 'report' });
          const { marks, messages } = history(conversation, foldJournal(run.records, state));
          for (const { drift } of marks) expect(drift?.whole).toBe(messages);
        },
      ),
      { numRuns: 25 },
    );
  });
});

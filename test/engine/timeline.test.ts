import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JournalRecord } from '../../extension/engine/compaction/journal';
import { foldJournal, type JournalState } from '../../extension/engine/compaction/journal-state';
import type { Conversation } from '../../extension/engine/conversation/conversation';
import type { Entry } from '../../extension/engine/conversation/entry';
import { type History, historyFrom } from '../../extension/inspection/history';
import { conversations } from '../builders/arbitrary';
import { assistant, call, long, quickLedger, result, type Said, talk, user } from '../builders/conversation';
import { compact, contextOf, emptyState } from '../builders/run';

const ledger = quickLedger();

function history(conversation: Conversation, state: JournalState = emptyState): History {
  return historyFrom({ conversation, state, context: contextOf(conversation, state), ledger });
}

const turns: Said[] = Array.from({ length: 30 }, (_, at) => [
  user(`Question ${at}?`),
  assistant(long(`Answer ${at}.`)),
]).flat();

function undo(seq: number, compactions: readonly number[]): JournalRecord {
  return { kind: 'undo', seq, time: '2026-01-02T00:00:00.000Z', compactions };
}

/** The agent put a short summary in place of these entries, and goes on with the others. */
function partlySummarised(entries: readonly Entry[], taken: readonly string[]): Conversation {
  const origin = { file: 'session.jsonl', line: entries.length + 1 };
  const parts = [{ type: 'text', text: 'Short.' }] as const;
  const summary: Entry = { id: 'summary', role: 'user', parts, timestamp: null, origin, summary: true };
  const compaction = {
    ...({ id: 'c', kind: 'summary', timestamp: null, tokensBefore: null, tokensAfter: null, trigger: null } as const),
    ...{ summaryEntryId: summary.id, replacedEntryIds: taken, origin },
  };
  return {
    entries: [...entries, summary],
    agentContext: [summary, ...entries.filter(({ id }) => !taken.includes(id))],
    agentCompactions: [compaction],
  };
}

describe('the line of a session that Strata compacted', () => {
  it('falls at the place of the run by what its blocks save, which are one mark', async () => {
    const run = await compact(talk(turns), { strategy: 'pipeline' });
    expect(run.records.length).toBeGreaterThan(1);
    const state = foldJournal(run.records);
    const { marks, points } = history(talk(turns, user('more'), assistant('done')), state);
    const [mark, ...others] = marks;
    expect(others).toEqual([]);
    expect(mark).toMatchObject({ by: 'strata', step: turns.length - 1 });
    expect(mark?.before).toBe(run.before.tokens.total);
    expect(mark?.after).toBe(run.after.tokens.total);
    expect(points.filter(({ step }) => step === mark?.step).map(({ tokens }) => tokens)).toEqual(
      expect.arrayContaining([mark?.before, mark?.after]),
    );
  });

  it('does not fall for a run that is undone, which stays a mark', async () => {
    const conversation = talk(turns);
    const { records } = await compact(conversation, { strategy: 'checkpoint' });
    const state = foldJournal([
      ...records,
      undo(
        99,
        records.map(({ seq }) => seq),
      ),
    ]);
    const { marks, points } = history(conversation, state);
    expect(marks).toHaveLength(1);
    expect(marks[0]?.after).toBe(marks[0]?.before);
    expect(points.map(({ tokens }) => tokens)).toEqual(history(conversation).points.map(({ tokens }) => tokens));
  });

  it('rises again where the agent takes out what a block stood for', async () => {
    const { entries } = talk(turns);
    const { records } = await compact(talk(turns), { strategy: 'checkpoint' });
    const [record] = records;
    const taken = (record?.entryIds ?? []).slice(0, 4);
    const conversation = partlySummarised(entries, taken);
    const state = foldJournal(records);
    const [own, agents] = history(conversation, state).marks;
    expect(own?.after).toBeLessThan(own?.before ?? 0);
    expect(agents?.after).toBeGreaterThan(agents?.before ?? 0);
    expect(history(conversation, state).points.at(-1)?.tokens).toBe(contextOf(conversation, state).tokens.total);
  });

  it('has the mark of a run at the entry that was left when the person went back behind it', async () => {
    const whole = talk(turns);
    const { records } = await compact(whole, { strategy: 'pipeline' });
    const back = { ...whole, agentContext: whole.entries.slice(0, -4) };
    expect(history(back, foldJournal(records)).marks[0]?.step).toBe(turns.length - 5);
  });

  it('ends at the size of the context, whatever was compacted and undone', async () => {
    await fc.assert(
      fc.asyncProperty(
        conversations,
        fc.array(fc.constantFrom('pipeline', 'checkpoint', 'prune', 'naive', 'undo'), { maxLength: 4 }),
        async (conversation, acts) => {
          let state = emptyState;
          for (const act of acts) {
            const newest = state.compactions.filter(({ active }) => active).map(({ record }) => record.seq);
            const records =
              act === 'undo'
                ? [undo(state.lastSeq + 1, newest)]
                : (await compact(conversation, { strategy: act, state })).records;
            state = foldJournal(records, state);
          }
          const { points } = history(conversation, state);
          const { total } = contextOf(conversation, state).tokens;
          expect(points.at(-1)?.tokens).toBe(total);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('lowers pruned results each for itself when the agent takes some of them', async () => {
    const said = Array.from({ length: 10 }, (_, at) => [
      user(`Look at ${at}.`),
      call(`c${at}`),
      result(`c${at}`, long(`File ${at}.`)),
      assistant('Seen.'),
    ]).flat();
    const { entries } = talk(said);
    const { records } = await compact(talk(said), { strategy: 'prune' });
    expect(records[0]?.entryIds.length).toBeGreaterThan(4);
    const taken = entries.slice(0, 8).map(({ id }) => id);
    const conversation = partlySummarised(entries, taken);
    const state = foldJournal(records);
    expect(history(conversation, state).points.at(-1)?.tokens).toBe(contextOf(conversation, state).tokens.total);
  });
});

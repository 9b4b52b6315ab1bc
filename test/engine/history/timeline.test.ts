import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { branchOf } from '../../../extension/engine/conversation/branch';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { placedRuns } from '../../../extension/engine/history/places';
import { foldJournal, type JournalState } from '../../../extension/engine/journal/journal-state';
import type { CompactionRecord, JournalRecord } from '../../../extension/engine/journal/records';
import { planUndo } from '../../../extension/engine/journal/undo';
import { editBlock } from '../../../extension/engine/run/change/edit';
import { type History, historyOf } from '../../../extension/inspection/history';
import { conversations } from '../../builders/arbitrary';
import {
  assistant,
  call,
  long,
  quickLedger,
  result,
  type Said,
  talk,
  toolTurn,
  user,
} from '../../builders/conversation';
import { excluding } from '../../builders/exclusion';
import { compact, contextOf, emptyState } from '../../builders/run';

const ledger = quickLedger();

function history(conversation: Conversation, state: JournalState = emptyState): History {
  return historyOf({ conversation, state, context: contextOf(conversation, state), ledger });
}

const turns: Said[] = Array.from({ length: 30 }, (_, at) => [
  user(`Question ${at}?`),
  assistant(long(`Answer ${at}.`)),
]).flat();

/** A run of one block over these entries. */
function blockOf(seq: number, entryIds: readonly string[], changes: Partial<CompactionRecord> = {}): CompactionRecord {
  return {
    ...({ kind: 'compaction', seq, run: seq, runLength: 1, time: '2026-01-01T00:00:00.000Z' } as const),
    ...{ strategy: 'checkpoint', parameters: {}, trigger: 'manual', instructions: null, promptHash: null },
    ...{ summarizer: { name: 'x', model: null }, summaryType: 'checkpoint', turnCount: 1, entryIds, swallowed: [] },
    ...{ tokensBefore: 100, tokensAfter: 10, tokensSpent: { input: 0, output: 0 }, durationMs: 0 },
    ...{ text: '[SUMMARIZED]\nShort.', spans: [], loss: null, ...changes },
  };
}

function undo(seq: number, compactions: readonly number[]): JournalRecord {
  return { kind: 'undo', seq, time: '2026-01-02T00:00:00.000Z', compactions };
}

async function acted(
  conversation: Conversation,
  state: JournalState,
  act: string,
  number: number,
): Promise<JournalState> {
  const active = state.compactions.filter((compaction) => compaction.active).map(({ record }) => record);
  const chosen = active[number % active.length];
  switch (act) {
    case 'exclude': {
      const { messages } = contextOf(conversation, state);
      return await excluding(conversation, messages[number % messages.length]?.key ?? '', state);
    }
    case 'undo':
    case 'undo alone': {
      const plan = chosen ? planUndo(state, chosen.seq) : null;
      if (plan?.kind !== 'undoes') return state;
      return foldJournal(
        [undo(state.lastSeq + 1, act === 'undo' ? [...plan.asked, ...plan.alsoUndone] : plan.asked)],
        state,
      );
    }
    case 'redo': {
      const newest = state.redoable.at(-1);
      const time = '2026-01-02T00:00:00.000Z';
      return newest ? foldJournal([{ kind: 'redo', seq: state.lastSeq + 1, time, compactions: newest }], state) : state;
    }
    case 'edit':
      return edited(conversation, state, chosen);
    case 'edit beneath':
      return edited(
        conversation,
        state,
        active.find(({ seq }) => active.some(({ swallowed }) => swallowed.includes(seq))),
      );
    default: {
      const strategy = act === 'compact' ? 'pipeline' : act;
      return foldJournal((await compact(conversation, { strategy, state })).records, state);
    }
  }
}

function edited(conversation: Conversation, state: JournalState, record: CompactionRecord | undefined): JournalState {
  const outcome = record ? editBlock(record, 'Short text.', { conversation, state, ledger }) : null;
  if (outcome?.kind !== 'edited') return state;
  const { seq, text, tokensAfter, loss } = outcome.record;
  const time = '2026-01-02T00:00:00.000Z';
  return foldJournal([{ kind: 'edit', seq: state.lastSeq + 1, time, compaction: seq, text, tokensAfter, loss }], state);
}

/** The agent replaced these entries by a short summary, and continues with the others. */
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

describe('timeline of a session that Strata compacted', () => {
  it('drops at the run by what its blocks save, with one mark', async () => {
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

  it('the timeline does not drop for an undone run, which stays a mark', async () => {
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

  it('rises again if the agent removes what a block covers', async () => {
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

  it('marks a run at the entry that remained when the person went back beyond it', async () => {
    const whole = talk(turns);
    const { records } = await compact(whole, { strategy: 'pipeline' });
    const back = { ...whole, agentContext: whole.entries.slice(0, -4) };
    expect(history(back, foldJournal(records)).marks[0]?.step).toBe(turns.length - 5);
  });

  it('the timeline ends at the size of the context, whatever was compacted and undone', async () => {
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

  it('the timeline ends at the size of the context if entries inside a block are undone, excluded or changed', async () => {
    const act = fc.tuple(
      fc.constantFrom('compact', 'prune', 'exclude', 'undo', 'undo alone', 'redo', 'edit'),
      fc.nat(),
    );
    const conversation = talk(
      ...Array.from({ length: 7 }, (_, at) => toolTurn(`t${at}`)),
      user('now'),
      assistant('ok'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 6 }), async (acts) => {
        let state = emptyState;
        for (const [kind, number] of acts) state = await acted(conversation, state, kind, number);
        const { total } = contextOf(conversation, state).tokens;
        expect(history(conversation, state).points.at(-1)?.tokens).toBe(total);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    [
      'the prune beneath a checkpoint is undone alone',
      [
        ['prune', 0],
        ['checkpoint', 0],
        ['undo alone', 0],
      ],
    ],
    [
      'a pruned call is taken out, and the prune undone',
      [
        ['prune', 0],
        ['exclude', 2],
        ['undo alone', 0],
      ],
    ],
    [
      'a swallowed block is changed',
      [
        ['compact', 0],
        ['edit beneath', 0],
      ],
    ],
  ] as const)('ends at the size of the context where %s', async (_, acts) => {
    const conversation = talk(
      ...Array.from({ length: 16 }, (_, at) => toolTurn(`t${at}`)),
      user('now'),
      assistant('ok'),
    );
    let state = emptyState;
    for (const [kind, number] of acts) state = await acted(conversation, state, kind, number);
    expect(state.compactions.length).toBeGreaterThan(0);
    const { total } = contextOf(conversation, state).tokens;
    expect(history(conversation, state).points.at(-1)?.tokens).toBe(total);
  });

  it('places the runs of old journals without reading all times of the branch for each', () => {
    let read = 0;
    const conversation = talk(turns);
    const entries = conversation.entries.map((entry, at) => ({
      ...entry,
      get timestamp() {
        read += 1;
        return new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
      },
    }));
    const timed = { ...conversation, entries, agentContext: entries };
    const runs = Array.from({ length: 40 }, (_, seq) =>
      blockOf(seq, [`e${seq + 1}`], { time: new Date(Date.UTC(2026, 0, 1, 0, seq + 5)).toISOString() }),
    );
    const branch = branchOf(timed);
    read = 0;
    expect(placedRuns(foldJournal(runs), branch, timed).map(({ step }) => step)).toEqual(runs.map((_, seq) => seq + 5));
    expect(read).toBeLessThanOrEqual(entries.length);
  });

  it('lowers pruned results one by one when the agent removes some of them', async () => {
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

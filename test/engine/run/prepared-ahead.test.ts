import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { foldJournal, type JournalState } from '../../../extension/engine/journal/journal-state';
import type { JournalRecord } from '../../../extension/engine/journal/records';
import { aheadDefaults, decideAhead } from '../../../extension/engine/run/automation/ahead';
import { preparedRecord, takenRun } from '../../../extension/engine/run/automation/prepared-ahead';
import type { PreparedRun } from '../../../extension/engine/run/prepare/prepared-run';
import { findStrategy } from '../../../extension/engine/run/prepare/registry';
import { conversations } from '../../builders/arbitrary';
import { long, quickLedger, system, talk, toolTurn } from '../../builders/conversation';
import { compact, contextOf, emptyState, smallParameters } from '../../builders/run';

const ledger = quickLedger();
const now = () => '2026-01-01T00:00:00.000Z';

function kept(run: PreparedRun, state: JournalState = emptyState, model: string | null = null): JournalState {
  return foldJournal([preparedRecord(run, { seq: state.lastSeq + 1, time: now(), model })], state);
}

function taken(conversation: Conversation, state: JournalState, model: string | null = null): PreparedRun | null {
  return takenRun({ conversation, state, ledger, now }, { model, trigger: 'automatic' });
}

function upTo(conversation: Conversation, count: number): Conversation {
  return { ...conversation, agentContext: conversation.agentContext.slice(0, count) };
}

const checkpoint = { strategy: 'checkpoint', parameters: { checkpoint: { keepRecentTokens: 0 } } };

describe('a run that was prepared ahead', () => {
  it('leaves the context unchanged until a compaction takes it', async () => {
    const conversation = talk(['a', 'b', 'c'].flatMap(toolTurn));
    const run = await compact(conversation, checkpoint);
    expect(contextOf(conversation, kept(run))).toEqual(contextOf(conversation));
  });

  it('gives its blocks and all newer messages once taken, and the old context once undone', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, fc.double({ min: 0.3, max: 1, noNaN: true }), async (whole, share) => {
        const then = upTo(whole, Math.ceil(whole.agentContext.length * share));
        const run = await compact(then, {
          strategy: 'ladder',
          parameters: smallParameters,
          isDue: true,
          targetTokens: 200,
        });
        fc.pre(run.records.length > 0);
        const state = kept(run);
        const late = taken(whole, state);
        const keys = late?.after.messages.map(({ key }) => key) ?? [];
        const since = whole.agentContext.slice(then.agentContext.length).map(({ id }) => id);
        expect(keys.slice(keys.length - since.length)).toEqual(since);
        const ids = late?.after.messages.flatMap(({ entryIds }) => entryIds) ?? [];
        expect([...ids].sort()).toEqual(whole.agentContext.map(({ id }) => id).sort());
        const applied = foldJournal(late?.records ?? [], state);
        const undo: JournalRecord = {
          ...{ kind: 'undo', seq: applied.lastSeq + 1, time: now() },
          compactions: (late?.records ?? []).map(({ seq }) => seq),
        };
        expect(contextOf(whole, foldJournal([undo], applied))).toEqual(contextOf(whole));
      }),
      { numRuns: 60 },
    );
  });

  it('a run that was prepared ahead gets the next numbers of the journal when it is taken', async () => {
    const conversation = talk(['a', 'b', 'c'].flatMap(toolTurn));
    const state = kept(await compact(conversation, checkpoint));
    const [first] = taken(conversation, state)?.records ?? [];
    expect([first?.seq, first?.run]).toEqual([state.lastSeq + 1, state.lastSeq + 1]);
  });

  it('a run that was prepared ahead is not taken if the session branched before the end of its blocks', async () => {
    const conversation = talk(['a', 'b', 'c', 'd'].flatMap(toolTurn));
    const state = kept(await compact(conversation, checkpoint));
    expect(taken(upTo(conversation, 3), state)).toBeNull();
  });

  it('a run that was prepared ahead is not taken by another model', async () => {
    const conversation = talk(['a', 'b', 'c'].flatMap(toolTurn));
    const state = kept(await compact(conversation, checkpoint), emptyState, 'one');
    expect(taken(conversation, state, 'one')).not.toBeNull();
    expect(taken(conversation, state, 'another')).toBeNull();
  });

  it('expires with a compaction or an undo', async () => {
    const conversation = talk(['a', 'b', 'c'].flatMap(toolTurn));
    const run = await compact(conversation, checkpoint);
    const applied = foldJournal(run.records);
    expect(foldJournal(run.records, kept(run)).prepared).toBeNull();
    const undo: JournalRecord = { kind: 'undo', seq: applied.lastSeq + 1, time: now(), compactions: [0] };
    expect(foldJournal([undo], kept(run, applied)).prepared).toBeNull();
  });

  it('a run that was prepared ahead is not used if the writer failed, but what it spent counts', async () => {
    const conversation = talk(['a', 'b', 'c'].flatMap(toolTurn));
    const run = await compact(conversation, checkpoint);
    const failures = [...run.notes, 'It failed.'] as PreparedRun['failures'];
    const state = kept({ ...run, failures, tokensSpent: { input: 700, output: 30 } });
    expect(taken(conversation, state)).toBeNull();
    expect(state.preparedTokens).toBe(730);
  });
});

describe('when a run is prepared', () => {
  const conversation = talk(['a', 'b', 'c', 'd'].flatMap(toolTurn));
  const size = contextOf(conversation).tokens.total;

  function decided(
    contextWindow: number,
    state = emptyState,
    changes: Partial<typeof aheadDefaults> = {},
    of = conversation,
  ) {
    const strategy = findStrategy('ladder');
    if (!strategy) throw new Error('The ladder is gone.');
    return decideAhead({
      settings: { ...aheadDefaults, ...changes },
      ...{ strategy, parameters: {}, state, contextWindow },
      context: contextOf(of),
      fits: state.prepared !== null,
    });
  }

  it('waits until the session has passed the share of the size at which it is compacted', () => {
    const passes = Math.floor(size / 0.7 / 0.85);
    expect(decided(passes + 10)).toEqual({ kind: 'early' });
    expect(decided(passes - 10).kind).toBe('due');
  });

  it('leaves room for messages until the compaction, down to a quarter of the target', () => {
    const window = Math.floor(size / 0.7 / 0.85) - 10;
    const target = (share: number) => decided(Math.floor(size / share));
    expect(target(0.85)).toEqual({ kind: 'due', targetTokens: expect.any(Number) });
    const [early, late] = [decided(window), target(0.85)] as { targetTokens: number }[];
    expect(early?.targetTokens).toBeLessThan(late?.targetTokens ?? 0);
  });

  it('aims at more than the system prompt, which no run changes', () => {
    const large = talk(system(long('You are an agent.', 400)), ['a', 'b', 'c', 'd'].flatMap(toolTurn));
    const { total, byKind } = contextOf(large).tokens;
    const decision = decided(Math.floor(total / 0.7), emptyState, {}, large);
    expect(decision).toEqual({ kind: 'due', targetTokens: expect.any(Number) });
    expect('targetTokens' in decision ? decision.targetTokens : 0).toBeGreaterThan(byKind.system);
  });

  it('a prepared run is renewed when the session has grown by a share of the window, and within what may be spent', async () => {
    const window = Math.floor(size / 0.8);
    const run = await compact(conversation, checkpoint);
    expect(decided(window, kept(run))).toEqual({ kind: 'recent' });
    const smaller = { ...run, before: { ...run.before, tokens: { ...run.before.tokens, total: size - window * 0.2 } } };
    expect(decided(window, kept(smaller)).kind).toBe('due');
    const dear = { ...smaller, tokensSpent: { input: aheadDefaults.prepareTokens, output: 0 } };
    expect(decided(window, kept(dear))).toEqual({ kind: 'spent' });
    expect(decided(window, kept(smaller), { prepareAt: 0 })).toEqual({ kind: 'off' });
  });
});

import type { Entry } from '../../../engine/conversation/entry';
import type { PinKind } from '../../../engine/core/core';
import { foldJournal, type JournalState } from '../../../engine/journal/journal-state';
import type { JournalRecord, PinRecord } from '../../../engine/journal/records';
import { newProposals, proposalsByStructure } from '../../../engine/language/proposals';
import type { CoreKeeper } from '../results';
import type { ScriptTurn } from '../tasks/script';
import type { TruthChanges } from '../tasks/truth';

/** A completed turn, and the changes to goals and constraints in it. Only the `pinned` keeper uses the changes. */
export interface TurnForCore {
  readonly turn: ScriptTurn;
  /** Everything said up to the end of the turn. */
  readonly entries: readonly Entry[];
  readonly changes: TruthChanges;
}

export function withCoreKept(
  state: JournalState,
  keeper: CoreKeeper,
  { turn, entries, changes }: TurnForCore,
): JournalState {
  switch (keeper) {
    case 'none':
      return state;
    case 'proposed':
      return withProposals(state, entries);
    case 'pinned':
      return withPins(state, turn, changes);
  }
}

/** Accepts every proposal found by structure. */
function withProposals(state: JournalState, entries: readonly Entry[]): JournalState {
  const proposals = newProposals(proposalsByStructure(entries), state.items);
  return proposals.reduce((before, { kind, text, entryId }) => pinned(before, kind, text, entryId), state);
}

/** Pins as a careful person would: verbatim, when it is said, and retires items that no longer apply. */
function withPins(
  state: JournalState,
  { entries }: ScriptTurn,
  { goals, constraints, over }: TruthChanges,
): JournalState {
  const said = entries[0]?.id ?? null;
  const without = over.reduce((before, { said: text }) => superseded(before, text), state);
  const ruled = constraints.reduce((before, { said: text }) => pinned(before, 'constraint', text, said), without);
  return goals.reduce((before, { said: text }) => pinned(before, 'goal', text, said), ruled);
}

function pinned(state: JournalState, kind: PinKind, text: string, entryId: string | null): JournalState {
  const seq = state.lastSeq + 1;
  const item = { id: `i${seq}`, kind, text, rationale: null, timestamp: epoch, entryId, status: 'active' } as const;
  return foldJournal([{ kind: 'pin', seq, time: epoch, item } satisfies PinRecord], state);
}

function superseded(state: JournalState, text: string): JournalState {
  const item = state.items.find((candidate) => candidate.text === text && candidate.status === 'active');
  if (!item) return state;
  const record: JournalRecord = {
    kind: 'core-change',
    seq: state.lastSeq + 1,
    time: epoch,
    itemId: item.id,
    status: 'superseded',
  };
  return foldJournal([record], state);
}

/** A fixed time; evaluation does not depend on times. */
export const epoch = '2026-01-01T00:00:00.000Z';

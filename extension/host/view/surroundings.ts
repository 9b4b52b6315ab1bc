import type { AgentCompaction } from '../../engine/conversation/conversation';
import { sameItems } from '../../engine/conversation/same-items';
import type { TokenLedger } from '../../engine/conversation/tokens';
import { TurnNumbers } from '../../engine/conversation/turn-numbers';
import type { CoreItem } from '../../engine/core/core';
import type { Inspection } from '../../inspection/inspection';
import type { Session, Subagent } from '../../sessions/session';
import { blockView } from './compactions';
import type { RowSurroundings } from './row-surroundings';

/**
 * Data that rows show beyond their messages. The same object while a session only grows, so that cached rows can be validated
 * by identity.
 */
export class Surroundings {
  readonly #turns = new TurnNumbers();
  #newest: { readonly basis: readonly unknown[]; readonly around: RowSurroundings } | null = null;

  of(inspection: Inspection): RowSurroundings {
    const basis = this.#basisOf(inspection);
    const known = this.#newest;
    if (known && sameItems(known.basis, basis)) return known.around;
    const around = surroundings(inspection, this.#turns.of(inspection.session.conversation));
    this.#newest = { basis, around };
    return around;
  }

  /** The inputs of the surroundings, except for appended entries. */
  #basisOf({ session, journal, ledger }: Inspection): readonly unknown[] {
    const { conversation, subagents } = session;
    const turns = this.#turns.of(conversation);
    return [journal.state, ledger, turns, textOfSubagents(subagents), textOfCompactions(conversation.agentCompactions)];
  }
}

function textOfSubagents(subagents: readonly Subagent[]): string {
  return JSON.stringify(subagents.map(({ callId, file }) => [callId, file]));
}

/** Compares by content, because session readers create new objects with every change. */
function textOfCompactions(compactions: readonly AgentCompaction[]): string {
  return JSON.stringify(
    compactions.map(({ id, summaryEntryId, repeatedBy, replacedEntryIds, tokensBefore }) => [
      id,
      summaryEntryId,
      repeatedBy,
      replacedEntryIds.length,
      tokensBefore,
    ]),
  );
}

function surroundings({ session, journal, ledger }: Inspection, turns: ReadonlyMap<string, number>): RowSurroundings {
  const pins = pinnedKinds(journal.state.items);
  const subagents = new Map(session.subagents.map(({ callId, file }) => [callId, file]));
  const { agentCompactions } = session.conversation;
  const { state } = journal;
  return {
    ledger,
    turnOf: (entryId) => turns.get(entryId) ?? null,
    pinnedOf: (entryId) => pins.get(entryId) ?? noPins,
    blockOf: (message) =>
      blockView(message, agentCompactions, state, (compaction) => replacedTokens(compaction, session, ledger)),
    subagentOf: (callId) => subagents.get(callId) ?? null,
  };
}

const noPins: readonly string[] = [];

function pinnedKinds(items: readonly CoreItem[]): Map<string, readonly string[]> {
  const kinds = new Map<string, readonly string[]>();
  for (const { entryId, kind, status } of items) {
    if (entryId !== null && status === 'active') kinds.set(entryId, [...(kinds.get(entryId) ?? []), kind]);
  }
  return kinds;
}

/** The tokens as Strata counts them, as for its own blocks. Null if the session does not say what was replaced. */
function replacedTokens(
  { replacedEntryIds }: AgentCompaction,
  { conversation }: Session,
  ledger: TokenLedger,
): number | null {
  if (replacedEntryIds.length === 0) return null;
  const ids = new Set(replacedEntryIds);
  const replaced = conversation.entries.filter(({ id }) => ids.has(id));
  return replaced.reduce((total, entry) => total + ledger.ofEntry(entry), 0);
}

import type { AgentCompaction, Conversation } from './conversation';
import type { Entry } from './entry';
import { turnNumbers } from './turn-numbers';

/** One entry of the branch that the agent is on. */
export interface BranchEntry {
  /** The original entry. */
  readonly entry: Entry;
  /** The entry in the agent's context, possibly edited by the agent; null if it is no longer there. */
  readonly sent: Entry | null;
  /** Index in the conversation. An entry that the agent synthesized has the index of the entry before it. */
  readonly at: number;
  /** Number of the newest turn at this entry, from 1, counted over the whole conversation; 0 before the first turn. */
  readonly turn: number;
}

export interface PlacedCompaction {
  readonly compaction: AgentCompaction;
  /** Index in the branch of the newest entry at the time of the compaction, its own summary included. */
  readonly step: number;
}

/** The path to the agent's present context: the entries in it, and those that the agent's compactions removed. */
export interface Branch {
  readonly entries: readonly BranchEntry[];
  /** Index in `entries`, by entry id. */
  readonly stepOf: ReadonlyMap<string, number>;
  /** Oldest first. */
  readonly compactions: readonly PlacedCompaction[];
}

/** Linear in the number of entries. */
export function branchOf(conversation: Conversation): Branch {
  const entries = branchEntries(conversation);
  const stepOf = new Map(entries.map(({ entry }, step) => [entry.id, step]));
  return { entries, stepOf, compactions: placedCompactions(conversation, entries, stepOf) };
}

function branchEntries(conversation: Conversation): BranchEntry[] {
  const { entries, agentContext, agentCompactions } = conversation;
  const turns = turnNumbers(conversation);
  const sent = new Map(agentContext.map((entry) => [entry.id, entry]));
  const replaced = new Set(agentCompactions.flatMap(idsOf));
  const synthesized = synthesizedEntries(entries, agentContext);
  const branch: BranchEntry[] = (synthesized.get(null) ?? []).map((entry) => ({ entry, sent: entry, at: 0, turn: 0 }));
  let turn = 0;
  for (const [at, entry] of entries.entries()) {
    turn = turns.get(entry.id) ?? turn;
    if (!sent.has(entry.id) && !replaced.has(entry.id)) continue;
    branch.push({ entry, sent: sent.get(entry.id) ?? null, at, turn });
    for (const made of synthesized.get(entry.id) ?? []) branch.push({ entry: made, sent: made, at, turn });
  }
  return branch;
}

function idsOf({ summaryEntryId, replacedEntryIds }: AgentCompaction): string[] {
  return summaryEntryId === null ? [...replacedEntryIds] : [...replacedEntryIds, summaryEntryId];
}

/** Entries that are in the agent's context but not in the file, by the id of the file entry that they follow. */
function synthesizedEntries(entries: readonly Entry[], agentContext: readonly Entry[]): Map<string | null, Entry[]> {
  const inFile = new Set(entries.map(({ id }) => id));
  const after = new Map<string | null, Entry[]>();
  let before: string | null = null;
  for (const entry of agentContext) {
    if (inFile.has(entry.id)) before = entry.id;
    else after.set(before, [...(after.get(before) ?? []), entry]);
  }
  return after;
}

function placedCompactions(
  { agentCompactions }: Conversation,
  branch: readonly BranchEntry[],
  stepOf: ReadonlyMap<string, number>,
): PlacedCompaction[] {
  const byLine = clearingsByLine(agentCompactions, branch);
  return agentCompactions
    .map((compaction) => ({ compaction, step: byLine.get(compaction) ?? lastStep(compaction, stepOf) }))
    .sort((a, b) => a.step - b.step);
}

function lastStep({ summaryEntryId, replacedEntryIds }: AgentCompaction, stepOf: ReadonlyMap<string, number>): number {
  return stepOf.get(summaryEntryId ?? replacedEntryIds.at(-1) ?? '') ?? 0;
}

/** A clearing adds no entry, so its line number tells where it belongs. One walk from the end places all clearings. */
function clearingsByLine(
  compactions: readonly AgentCompaction[],
  branch: readonly BranchEntry[],
): Map<AgentCompaction, number> {
  const clearings = compactions.filter(({ kind, origin }) => kind === 'cleared' && origin.line > 0);
  const places = new Map<AgentCompaction, number>();
  let step = branch.length - 1;
  for (const clearing of clearings.sort((a, b) => b.origin.line - a.origin.line)) {
    while (step > 0 && (branch[step]?.entry.origin.line ?? 0) > clearing.origin.line) step -= 1;
    places.set(clearing, step);
  }
  return places;
}

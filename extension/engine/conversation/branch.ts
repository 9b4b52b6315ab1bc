import type { AgentCompaction, Conversation } from './conversation';
import { type Entry, isPrompt } from './entry';

/** One entry of the branch that the agent is on. */
export interface BranchEntry {
  /** As it was said. */
  readonly entry: Entry;
  /** As it stands in the agent's context, which may have edited it; null where it stands there no more. */
  readonly sent: Entry | null;
  /** Its number in the conversation, from 0; of what the agent made up, that of the entry before it. */
  readonly at: number;
  /** The newest turn by then, counted over the whole conversation, from 1; 0 before the first. */
  readonly turn: number;
}

export interface PlacedCompaction {
  readonly compaction: AgentCompaction;
  /** Which entry of the branch was the newest when it was done; its own summary counts. */
  readonly step: number;
}

/** The way that led to the agent's present context: what is in it, and what its compactions took out. */
export interface Branch {
  readonly entries: readonly BranchEntry[];
  /** By entry id, its place in `entries`. */
  readonly stepOf: ReadonlyMap<string, number>;
  /** Oldest first. */
  readonly compactions: readonly PlacedCompaction[];
}

/** Time linear in the entries. */
export function branchOf(conversation: Conversation): Branch {
  const entries = branchEntries(conversation);
  const stepOf = new Map(entries.map(({ entry }, step) => [entry.id, step]));
  return { entries, stepOf, compactions: placedCompactions(conversation, entries, stepOf) };
}

function branchEntries({ entries, agentContext, agentCompactions }: Conversation): BranchEntry[] {
  const sent = new Map(agentContext.map((entry) => [entry.id, entry]));
  const replaced = new Set(agentCompactions.flatMap(idsOf));
  const madeUp = madeUpEntries(entries, agentContext);
  const branch: BranchEntry[] = (madeUp.get(null) ?? []).map((entry) => ({ entry, sent: entry, at: 0, turn: 0 }));
  let turn = 0;
  for (const [at, entry] of entries.entries()) {
    if (isPrompt(entry)) turn += 1;
    if (!sent.has(entry.id) && !replaced.has(entry.id)) continue;
    branch.push({ entry, sent: sent.get(entry.id) ?? null, at, turn });
    for (const made of madeUp.get(entry.id) ?? []) branch.push({ entry: made, sent: made, at, turn });
  }
  return branch;
}

function idsOf({ summaryEntryId, replacedEntryIds }: AgentCompaction): string[] {
  return summaryEntryId === null ? [...replacedEntryIds] : [...replacedEntryIds, summaryEntryId];
}

/** What stands in the agent's context alone, by the id of the entry of the file that it follows. */
function madeUpEntries(entries: readonly Entry[], agentContext: readonly Entry[]): Map<string | null, Entry[]> {
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

/** A clearing leaves no entry: what stands above its line was there. One walk from the end places all of them. */
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

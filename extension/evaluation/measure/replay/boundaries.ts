import { type Branch, branchOf } from '../../../engine/conversation/branch';
import type { AgentCompaction, Conversation } from '../../../engine/conversation/conversation';
import { type Entry, isPrompt, textOf } from '../../../engine/conversation/entry';
import { entryKind } from '../../../engine/conversation/entry-kind';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { takenBy } from '../../../engine/history/places';
import type { ReplayBoundary } from '../replay';

/** A point of a session at which older entries are replaced by something shorter. */
export interface Boundary {
  readonly kind: ReplayBoundary['kind'];
  /** 1-based; 0 in a database. */
  readonly line: number;
  /** Number of entries of the branch before it. */
  readonly step: number;
  /** The replaced entries in full, oldest first. Without the system prompt and standing instructions, which no agent replaces. */
  readonly replaced: readonly Entry[];
  /** All prompts of the person before it, oldest first, replaced or not. */
  readonly prompts: readonly Entry[];
  /** The following entries, up to `entriesAfter`, without summaries. */
  readonly after: readonly Entry[];
  /** The agent's own summary; null at a simulated boundary. */
  readonly summary: string | null;
}

/** Number of entries after a boundary that show what was needed. */
export const entriesAfter = 40;

interface FoundBoundaries {
  readonly boundaries: readonly Boundary[];
  /** Compactions of the agent that cannot be measured, with the reason. */
  readonly skipped: readonly string[];
}

/** Boundaries at the agent's own compactions with a summary. Time linear in the replaced entries. */
export function agentBoundaries(conversation: Conversation): FoundBoundaries {
  const branch = branchOf(conversation);
  const boundaries: Boundary[] = [];
  const skipped: string[] = [];
  for (const { compaction, step } of branch.compactions) {
    if (compaction.kind !== 'summary' || compaction.byStrata) continue;
    const found = agentBoundary(branch, compaction, step);
    if (typeof found === 'string') skipped.push(`${placeOf(compaction)}: ${found}`);
    else boundaries.push(found);
  }
  return { boundaries, skipped };
}

function placeOf({ origin, id }: AgentCompaction): string {
  return origin.line > 0 ? `Line ${origin.line}` : `Compaction ${id}`;
}

function agentBoundary(branch: Branch, compaction: AgentCompaction, step: number): Boundary | string {
  if (compaction.isOpaque) return 'The summary of this compaction is encrypted';
  const at = branch.stepOf.get(compaction.summaryEntryId ?? '');
  const summary = at === undefined ? '' : textOf(branch.entries[at]?.entry.parts ?? []).trim();
  if (summary === '') return 'The summary of this compaction is not in the file';
  const gone = new Set(takenBy(compaction));
  const replaced = branch.entries
    .map(({ entry }) => entry)
    .filter((entry) => gone.has(entry.id) && isReplaceable(entry));
  if (replaced.length === 0) return 'Nothing that this compaction replaced is in the file';
  const after = entriesFrom(branch, step + 1);
  if (after.length === 0) return 'Nothing came after this compaction';
  const prompts = promptsBefore(branch, step + 1);
  return { kind: 'agent', line: compaction.origin.line, step: step + 1, replaced, prompts, after, summary };
}

/** Simulated boundaries lie `every` entries apart, from `minEntries` on, where the context has a size worth compacting. */
const simulated = { every: 25, minEntries: 60, minTokens: 20_000, maxTokens: 400_000, maxPoints: 256 };

/** Points at which a compaction of the whole context would have had work to do, with `entriesAfter` entries after each. */
export function simulatedBoundaries(conversation: Conversation, ledger: TokenLedger): Boundary[] {
  const branch = branchOf(conversation);
  const every = stepsApart(branch.entries.length);
  const found: Boundary[] = [];
  for (let at = simulated.minEntries; at + entriesAfter <= branch.entries.length; at += every) {
    const replaced = contextBefore(branch, at).filter(isReplaceable);
    const line = branch.entries[at]?.entry.origin.line ?? 0;
    const [prompts, after] = [promptsBefore(branch, at), entriesFrom(branch, at)];
    if (after.length === 0 || !isOfSize(replaced, ledger)) continue;
    found.push({ kind: 'simulated', line, step: at, replaced, prompts, after, summary: null });
  }
  return found;
}

/** Doubles the distance until there are few enough points, so that copies of different lengths share their points. */
function stepsApart(entries: number): number {
  let every = simulated.every;
  while (entries / every > simulated.maxPoints) every *= 2;
  return every;
}

/** Stops counting above the maximum. */
function isOfSize(entries: readonly Entry[], ledger: TokenLedger): boolean {
  let tokens = 0;
  for (const entry of entries) {
    tokens += ledger.ofEntry(entry);
    if (tokens > simulated.maxTokens) return false;
  }
  return tokens >= simulated.minTokens;
}

/** Agents send the system prompt and standing instructions again after each compaction. */
export function isReplaceable(entry: Entry): boolean {
  return entryKind(entry) !== 'system';
}

/**
 * The context of the agent when the branch had this many entries: all of them except those its compactions had
 * replaced by then. Entries cleared by then appear in their cleared form.
 */
export function contextBefore({ entries, compactions }: Branch, step: number): Entry[] {
  const done = compactions.filter((placed) => placed.step < step).map(({ compaction }) => compaction);
  const taken = new Set(done.flatMap(takenBy));
  const emptied = new Set(done.filter(({ kind }) => kind === 'cleared').flatMap((by) => by.replacedEntryIds));
  return entries
    .slice(0, step)
    .filter(({ entry }) => !taken.has(entry.id))
    .map(({ entry, sent }) => (emptied.has(entry.id) ? (sent ?? entry) : entry));
}

function promptsBefore({ entries }: Branch, step: number): Entry[] {
  return entries
    .slice(0, step)
    .map(({ entry }) => entry)
    .filter(isPrompt);
}

function entriesFrom({ entries }: Branch, step: number): Entry[] {
  const after: Entry[] = [];
  for (let at = step; at < entries.length && after.length < entriesAfter; at += 1) {
    const entry = entries[at]?.entry;
    if (entry && !entry.summary) after.push(entry);
  }
  return after;
}

/** At most this many items, evenly spread, including the first and the last. */
export function spreadEvenly<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  if (most < 2) return items.slice(0, most);
  const places = Array.from({ length: most }, (_, number) => Math.round((number * (items.length - 1)) / (most - 1)));
  return places.flatMap((place) => items[place] ?? []);
}

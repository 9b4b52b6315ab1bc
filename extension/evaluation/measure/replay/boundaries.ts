import { type Branch, branchOf } from '../../../engine/conversation/branch';
import type { AgentCompaction, Conversation } from '../../../engine/conversation/conversation';
import { type Entry, isPrompt, textOf } from '../../../engine/conversation/entry';
import type { TokenLedger } from '../../../engine/conversation/tokens';
import { takenBy } from '../../../engine/history/places';
import type { ReplayBoundary } from '../replay';

/** A point of a session at which older entries give way to something shorter. */
export interface Boundary {
  readonly kind: ReplayBoundary['kind'];
  /** 1-based; 0 in a database. */
  readonly line: number;
  /** How many entries of the branch were there. */
  readonly step: number;
  /** As they were said, oldest first; never the system prompt, which no agent replaces. */
  readonly replaced: readonly Entry[];
  /** What the person had said by then, oldest first, whether it is replaced or not. */
  readonly prompts: readonly Entry[];
  /** What came next, as far as it is looked at; no summaries. */
  readonly after: readonly Entry[];
  /** The agent's own summary; null at a simulated boundary. */
  readonly summary: string | null;
}

/** As many entries after a boundary tell what was needed. */
export const entriesAfter = 40;

export interface FoundBoundaries {
  readonly boundaries: readonly Boundary[];
  /** Compactions of the agent that tell nothing, with the reason. */
  readonly skipped: readonly string[];
}

/** At each compaction by which the agent put a summary in the place of entries. Time linear in what they replaced. */
export function agentBoundaries(conversation: Conversation): FoundBoundaries {
  const branch = branchOf(conversation);
  const boundaries: Boundary[] = [];
  const skipped: string[] = [];
  for (const { compaction, step } of branch.compactions) {
    if (compaction.kind !== 'summary') continue;
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
  const replaced = branch.entries.map(({ entry }) => entry).filter(({ id, role }) => gone.has(id) && role !== 'system');
  if (replaced.length === 0) return 'Nothing that this compaction replaced is in the file';
  const after = entriesFrom(branch, step + 1);
  if (after.length === 0) return 'Nothing came after this compaction';
  const prompts = promptsBefore(branch, step + 1);
  return { kind: 'agent', line: compaction.origin.line, step: step + 1, replaced, prompts, after, summary };
}

/**
 * Where nobody compacted: every so many entries, once there are enough, and while the context has enough tokens to
 * compact and not more than any window takes.
 */
const simulated = { every: 25, leastEntries: 60, leastTokens: 20_000, mostTokens: 400_000, mostLookedAt: 256 };

/**
 * Points at which a compaction would have had something to do, in the whole context of that moment, with as many
 * entries after them as are looked at.
 */
export function simulatedBoundaries(conversation: Conversation, ledger: TokenLedger): Boundary[] {
  const branch = branchOf(conversation);
  const every = stepsApart(branch.entries.length);
  const found: Boundary[] = [];
  for (let at = simulated.leastEntries; at + entriesAfter <= branch.entries.length; at += every) {
    const replaced = contextBefore(branch, at).filter(({ role }) => role !== 'system');
    const line = branch.entries[at]?.entry.origin.line ?? 0;
    const [prompts, after] = [promptsBefore(branch, at), entriesFrom(branch, at)];
    if (after.length === 0 || !isOfSize(replaced, ledger)) continue;
    found.push({ kind: 'simulated', line, step: at, replaced, prompts, after, summary: null });
  }
  return found;
}

/** Doubled until there are few enough, so that a longer copy of a session has its points where a shorter one has some. */
function stepsApart(entries: number): number {
  let every = simulated.every;
  while (entries / every > simulated.mostLookedAt) every *= 2;
  return every;
}

/** Counts no further than to the most. */
function isOfSize(entries: readonly Entry[], ledger: TokenLedger): boolean {
  let tokens = 0;
  for (const entry of entries) {
    tokens += ledger.ofEntry(entry);
    if (tokens > simulated.mostTokens) return false;
  }
  return tokens >= simulated.leastTokens;
}

export function tokensOf(entries: readonly Entry[], ledger: TokenLedger): number {
  return entries.reduce((total, entry) => total + ledger.ofEntry(entry), 0);
}

/**
 * What the agent would have sent when the branch had so many entries: all of them but what its compactions had taken by
 * then. What it emptied by then stands as it does now.
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

/** So many of them, spread evenly over all, the first and the last included. */
export function spread<T>(items: readonly T[], most: number): T[] {
  if (items.length <= most) return [...items];
  if (most < 2) return items.slice(0, most);
  const places = Array.from({ length: most }, (_, number) => Math.round((number * (items.length - 1)) / (most - 1)));
  return places.flatMap((place) => items[place] ?? []);
}

import type { Branch } from '../../../../extension/engine/conversation/branch';
import type { Entry } from '../../../../extension/engine/conversation/entry';
import { type Boundary, entriesAfter } from '../../../../extension/evaluation/measure/replay/boundaries';

/** A compaction that is prepared at a boundary and carried out some steps later. */
export interface LaterCommit {
  /** Number of the agent's replies between the two. */
  readonly steps: number;
  /** The entries between the two, which stay unchanged. */
  readonly tail: readonly Entry[];
  /** The entries that show what was needed after it was carried out. */
  readonly after: readonly Entry[];
}

/** Number of the agent's replies for which a prepared compaction waits. */
export const waits = [5, 10, 20] as const;

/** Null if the branch is too short, or the agent compacted meanwhile. */
export function laterCommit({ entries, compactions }: Branch, { step }: Boundary, steps: number): LaterCommit | null {
  let left = steps;
  let end = step;
  for (; end < entries.length && left >= 0; end += 1) {
    if (entries[end]?.entry.role === 'assistant') left -= 1;
  }
  // The loop ends after the reply that follows the last one that is waited for.
  const commit = end - 1;
  if (left >= 0 || commit + entriesAfter > entries.length) return null;
  if (compactions.some((each) => each.step >= step && each.step < commit + entriesAfter)) return null;
  const between = (from: number, to: number) => entries.slice(from, to).map(({ entry }) => entry);
  return { steps, tail: between(step, commit), after: between(commit, commit + entriesAfter) };
}

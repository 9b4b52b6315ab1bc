import type { Branch } from '../../../../extension/engine/conversation/branch';
import type { Entry } from '../../../../extension/engine/conversation/entry';
import { type Boundary, entriesAfter } from '../../../../extension/evaluation/measure/replay/boundaries';

/** A compaction that is prepared at a boundary and carried out some steps later. */
export interface LaterCommit {
  /** Replies of the agent between the two. */
  readonly steps: number;
  /** The entries between the two, which stay as they are. */
  readonly tail: readonly Entry[];
  /** Those that show what was needed once it was carried out. */
  readonly after: readonly Entry[];
}

/** Replies of the agent that a prepared compaction waits for. */
export const waits = [5, 10, 20] as const;

/** Null where the branch is too short, or the agent compacted meanwhile. */
export function laterCommit({ entries, compactions }: Branch, { step }: Boundary, steps: number): LaterCommit | null {
  let left = steps;
  let end = step;
  for (; end < entries.length && left >= 0; end += 1) {
    if (entries[end]?.entry.role === 'assistant') left -= 1;
  }
  // The loop ends behind the reply after the last one that is waited for.
  const commit = end - 1;
  if (left >= 0 || commit + entriesAfter > entries.length) return null;
  if (compactions.some((each) => each.step >= step && each.step < commit + entriesAfter)) return null;
  const between = (from: number, to: number) => entries.slice(from, to).map(({ entry }) => entry);
  return { steps, tail: between(step, commit), after: between(commit, commit + entriesAfter) };
}

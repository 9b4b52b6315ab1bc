import type { VerbatimFate } from '../block/loss';
import type { Branch } from '../conversation/branch';
import { textOf } from '../conversation/entry';
import { messagesOn, type TrackedMessage } from './first-messages';

/**
 * The fates of requests in the context after a compaction. Null if there is no such request, or if an earlier field has
 * it already.
 */
export interface GoalDrift {
  /** The request that the session began with. */
  readonly original: VerbatimFate | null;
  /** The newest request when it was compacted. */
  readonly before: VerbatimFate | null;
  /** The newest request now. Also null if it was made later. */
  readonly current: VerbatimFate | null;
}

export interface GoalsAtMark {
  readonly original: TrackedMessage | null;
  readonly before: TrackedMessage | null;
  readonly current: TrackedMessage | null;
}

export function goalsAt(branch: Branch, steps: readonly number[]): GoalsAtMark[] {
  const requests = messagesOn(branch).flatMap(({ id, parts }) => {
    const text = textOf(parts).trim();
    return text === '' ? [] : [{ text, entryIds: [id], step: branch.stepOf.get(id) ?? 0 }];
  });
  const [original = null] = requests;
  const current = requests.at(-1) ?? null;
  return steps.map((step) => {
    const before = requests.findLast((one) => one.step <= step) ?? null;
    const until = (one: (typeof requests)[number] | null) => (one !== null && one.step <= step ? one : null);
    return {
      original: until(original),
      before: before === original ? null : before,
      current: current === original || current === before ? null : until(current),
    };
  });
}

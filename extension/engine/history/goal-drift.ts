import type { Branch } from '../conversation/branch';
import { personSaid } from '../language/directions';
import { type Goal, goalsIn } from '../language/goals';
import { sentencesOf } from '../language/sentences';
import type { Direction } from './directions';

/** How a text stands in the context. Of several sentences, `paraphrased` also says that only some are there. */
export type Trace = 'kept' | 'paraphrased' | 'dropped';

/** What the context says of the goals after a compaction. Null where there is none, or where it is one of those before it. */
export interface GoalDrift {
  /** What the session began with. */
  readonly original: Trace | null;
  /** What the person wanted when it was compacted. */
  readonly before: Trace | null;
  /** What the person wants now. Null too where it was asked for later. */
  readonly current: Trace | null;
}

/** The sentences of each goal. */
export interface GoalsAtMark {
  readonly original: readonly Direction[];
  readonly before: readonly Direction[];
  readonly current: readonly Direction[];
}

/** Goals at these steps of the branch, by the person's messages up to there. */
export function goalsAt(branch: Branch, steps: readonly number[]): GoalsAtMark[] {
  const said = personSaid(branch.entries.map(({ entry }) => entry));
  const stepOf = ({ entryId }: { readonly entryId: string }) => branch.stepOf.get(entryId) ?? 0;
  const goalsUntil = (step: number) => goalsIn(said.filter((one) => stepOf(one) <= step));
  const [original, current = original] = goalsUntil(branch.entries.length);
  const known = new Map<string, readonly Direction[]>();
  const sentencesIn = (goal: Goal): readonly Direction[] => {
    const key = `${goal.entryId} ${goal.text}`;
    const sentences = known.get(key) ?? sentencesOf(goal.text).map((text) => ({ text, entryIds: [goal.entryId] }));
    known.set(key, sentences);
    return sentences;
  };
  return steps.map((step) => {
    const [first, before = first] = goalsUntil(step);
    const [ofOriginal = [], ofBefore = [], ofCurrent = []] = [original, before, current].map((goal, at, all) => {
      const isRepeated = all.slice(0, at).some((other) => other?.entryId === goal?.entryId);
      return goal === undefined || isRepeated || stepOf(goal) > step ? [] : sentencesIn(goal);
    });
    return { original: ofOriginal, before: ofBefore, current: ofCurrent };
  });
}

/** Of the sentences of one goal; null if it has none. */
export function traceOfAll(traces: readonly Trace[]): Trace | null {
  if (traces.length === 0) return null;
  if (traces.every((trace) => trace === 'kept')) return 'kept';
  return traces.every((trace) => trace === 'dropped') ? 'dropped' : 'paraphrased';
}

import type { Branch, BranchEntry } from '../conversation/branch';
import { oncePer } from '../conversation/once-per';

/** Finds the last entry of a branch at a time or by number, without walking the branch again. */
interface LastSteps {
  /** -1 for none. Entries without a time are ignored. */
  until(time: number): number;
  /** The last entry with at most this number in the conversation; -1 for none. */
  upTo(number: number): number;
}

/** Reads the times of a branch once. */
export const lastStepsOf = oncePer(({ entries }: Branch): LastSteps => {
  let times: Float64Array | null = null;
  const earliest = () => {
    times ??= earliestFrom(entries, ({ entry }) => Date.parse(entry.timestamp ?? ''));
    return times;
  };
  let numbers: Float64Array | null = null;
  const lowest = () => {
    numbers ??= earliestFrom(entries, ({ at }) => at);
    return numbers;
  };
  return { until: (time) => lastWithin(earliest(), time), upTo: (number) => lastWithin(lowest(), number) };
});

/** The minimum of each value and all later ones. It never decreases, even if a clock was set back. */
function earliestFrom(entries: readonly BranchEntry[], measure: (entry: BranchEntry) => number): Float64Array {
  const least = new Float64Array(entries.length);
  let before = Number.POSITIVE_INFINITY;
  for (let step = entries.length - 1; step >= 0; step -= 1) {
    const entry = entries[step];
    const value = entry ? measure(entry) : Number.NaN;
    if (value < before) before = value;
    least[step] = before;
  }
  return least;
}

/** The last index of an ascending list with at most this value. */
function lastWithin(rising: Float64Array, most: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((rising[middle] ?? Number.POSITIVE_INFINITY) <= most) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

import { type EvaluationSettings, type UnitId, unitKey } from './results';

export interface Shard {
  /** 1-based. */
  readonly index: number;
  readonly of: number;
}

/** All units of a run, task by task. A shard takes every nth unit, so that it has some of every task. */
export function unitsOf({ tasks, seeds, contenders }: EvaluationSettings, shard: Shard | null = null): UnitId[] {
  const all = tasks.flatMap(({ name: task }) =>
    seeds.flatMap((seed) => contenders.map((contender): UnitId => ({ task, seed, contender }))),
  );
  return shard ? all.filter((_, index) => index % shard.of === shard.index - 1) : all;
}

/** Sorts units by their order in the run, so that sums come out the same to the last digit. */
export function inOrderOfRun<U extends UnitId>(units: readonly U[], settings: EvaluationSettings): U[] {
  const places = new Map(unitsOf(settings).map((unit, index) => [unitKey(unit), index]));
  const placeOf = (unit: UnitId) => places.get(unitKey(unit)) ?? places.size;
  return [...units].sort((a, b) => placeOf(a) - placeOf(b));
}

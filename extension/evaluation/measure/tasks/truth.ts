import {
  type SettledList,
  type SettledTruth,
  type StatedTruth,
  settledLists,
  type Task,
  type TaskAction,
} from './task';
import type { TaskVariation } from './variation';

type Goal = Task['goals'][number];

/** The ground truth after some turns of a task: what holds and what no longer does. */
export interface Truth extends Readonly<Record<SettledList, readonly SettledTruth[]>> {
  readonly goal: Goal;
  /** The goal that the task began with: the current one until the person changes it. */
  readonly originalGoal: Goal;
  readonly formerGoals: readonly Goal[];
  readonly constraints: readonly StatedTruth[];
  readonly formerConstraints: readonly StatedTruth[];
  /** Names mentioned so far. */
  readonly artifacts: readonly string[];
  /** Ids of constraints that hostile content attacked so far. */
  readonly attacked: ReadonlySet<string>;
  /** Actions that can be asked next. */
  readonly actions: readonly TaskAction[];
}

/** The ground truth of one variation over its turns. */
export class TruthOverTime {
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(readonly variation: TaskVariation) {
    this.#indexes = new Map(variation.turns.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index]])));
  }

  /** The ground truth after this many turns, at least one. */
  after(turns: number): Truth {
    const { goals, constraints, artifacts, hostile, actions } = this.variation;
    const isSaid = ({ from }: { readonly from: string }) => this.#indexOf(from) < turns;
    const isOver = ({ until }: { readonly until?: string | undefined }) =>
      until !== undefined && this.#indexOf(until) < turns;
    const said = goals.filter(isSaid);
    const goal = said.at(-1);
    const [originalGoal] = said;
    if (!goal || !originalGoal)
      throw new RangeError(`The task "${this.variation.name}" has no goal after ${turns} turns.`);
    return {
      goal,
      originalGoal,
      formerGoals: said.slice(0, -1),
      constraints: constraints.filter((item) => isSaid(item) && !isOver(item)),
      formerConstraints: constraints.filter((item) => isSaid(item) && isOver(item)),
      ...settledIn(this.variation, isSaid),
      artifacts: artifacts.filter(isSaid).map(({ text }) => text),
      attacked: new Set(hostile.filter(({ turn }) => this.#indexOf(turn) < turns).map(({ against }) => against)),
      actions: actions.filter((action) => isSaid(action) && !isOver(action)),
    };
  }

  /** Constraints that the person adds or withdraws in the turn with this index. */
  changesIn(turn: number): TruthChanges {
    const at = (id: string | undefined) => id !== undefined && this.#indexOf(id) === turn;
    const { goals, constraints } = this.variation;
    return {
      goals: goals.filter(({ from }) => at(from)),
      constraints: constraints.filter(({ from }) => at(from)),
      over: constraints.filter(({ until }) => at(until)),
    };
  }

  #indexOf(id: string): number {
    return this.#indexes.get(id) ?? Number.POSITIVE_INFINITY;
  }
}

function settledIn(variation: TaskVariation, isSaid: (item: SettledTruth) => boolean) {
  const lists = settledLists.map((list) => [list, variation[list].filter(isSaid)]);
  return Object.fromEntries(lists) as Pick<Truth, SettledList>;
}

export interface TruthChanges {
  readonly goals: readonly StatedTruth[];
  readonly constraints: readonly StatedTruth[];
  /** Constraints that end here. */
  readonly over: readonly StatedTruth[];
}

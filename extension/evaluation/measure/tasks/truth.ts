import type { StatedTruth, Task, TaskAction } from './task';
import type { TaskVariation } from './variation';

type Goal = Task['goals'][number];
type Settled = Task['finished'][number];

/** What holds, and what is over, once some turns of a task are done. */
export interface Truth {
  readonly goal: Goal;
  readonly formerGoals: readonly Goal[];
  readonly constraints: readonly StatedTruth[];
  readonly formerConstraints: readonly StatedTruth[];
  readonly finished: readonly Settled[];
  readonly deadEnds: readonly Settled[];
  /** Names that have come up so far. */
  readonly artifacts: readonly string[];
  /** Ids of the constraints that something said so far tries to have dropped. */
  readonly attacked: ReadonlySet<string>;
  /** What may be asked next. */
  readonly actions: readonly TaskAction[];
}

/** The truth of one variation, over its turns. */
export class TruthOverTime {
  readonly #indexes: ReadonlyMap<string, number>;

  constructor(readonly variation: TaskVariation) {
    this.#indexes = new Map(variation.turns.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index]])));
  }

  /** After this many turns; at least one. */
  after(turns: number): Truth {
    const { goals, constraints, finished, deadEnds, artifacts, hostile, actions } = this.variation;
    const isSaid = ({ from }: { readonly from: string }) => this.#indexOf(from) < turns;
    const isOver = ({ until }: { readonly until?: string | undefined }) =>
      until !== undefined && this.#indexOf(until) < turns;
    const said = goals.filter(isSaid);
    const goal = said.at(-1);
    if (!goal) throw new RangeError(`The task "${this.variation.name}" has no goal after ${turns} turns.`);
    return {
      goal,
      formerGoals: said.slice(0, -1),
      constraints: constraints.filter((item) => isSaid(item) && !isOver(item)),
      formerConstraints: constraints.filter((item) => isSaid(item) && isOver(item)),
      finished: finished.filter(isSaid),
      deadEnds: deadEnds.filter(isSaid),
      artifacts: artifacts.filter(isSaid).map(({ text }) => text),
      attacked: new Set(hostile.filter(({ turn }) => this.#indexOf(turn) < turns).map(({ against }) => against)),
      actions: actions.filter((action) => isSaid(action) && !isOver(action)),
    };
  }

  /** What the person says, takes back or calls done in this turn, by its index. */
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

export interface TruthChanges {
  readonly goals: readonly StatedTruth[];
  readonly constraints: readonly StatedTruth[];
  /** Constraints that no longer hold from here on. */
  readonly over: readonly StatedTruth[];
}

import type { Parameters } from '../compaction/plan';
import { goalBatchStrategy } from './goal-batch';
import type { Strategy } from './strategy';
import { thresholdStrategy } from './threshold';
import { toolCallsStrategy } from './tool-calls';

/** What a person can choose: one strategy, or several that work one after the other. */
export interface StrategyChoice {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Carried out in this order, each until it has nothing more to plan. */
  readonly steps: readonly Strategy[];
}

/** The tiers in the order of ADR 41: each leaves the context in a state that the next can work on. */
const tiers: readonly Strategy[] = [anyOf(toolCallsStrategy), anyOf(thresholdStrategy), anyOf(goalBatchStrategy)];

const pipeline: StrategyChoice = {
  name: 'pipeline',
  title: 'Pipeline',
  description:
    'All three tiers in order: tool calls, then what the agent said above the threshold, then old turns as goal batches.',
  steps: tiers,
};

export const defaultStrategy = pipeline.name;

const choices = new Map<string, StrategyChoice>(
  [pipeline, ...tiers.map(choiceOf)].map((choice) => [choice.name, choice]),
);

/** All that can be chosen, Strata's own first, in the order of their registration. */
export function strategyChoices(): readonly StrategyChoice[] {
  return [...choices.values()];
}

export function findStrategy(name: string): StrategyChoice | undefined {
  return choices.get(name);
}

export class NameTaken extends Error {
  override name = 'NameTaken';
}

/** Makes a strategy selectable wherever strategies are chosen. Throws `NameTaken`. Returns what takes it away again. */
export function registerStrategy<P extends Parameters>(strategy: Strategy<P>): () => void {
  if (choices.has(strategy.name)) throw new NameTaken(`There is already a strategy named "${strategy.name}".`);
  choices.set(strategy.name, choiceOf(anyOf(strategy)));
  return () => void choices.delete(strategy.name);
}

function choiceOf(strategy: Strategy): StrategyChoice {
  const { name, title, description } = strategy;
  return { name, title, description, steps: [strategy] };
}

/** A strategy of its own parameters as one of any: what it is handed has all of its defaults, so none can be missing. */
function anyOf<P extends Parameters>(strategy: Strategy<P>): Strategy {
  return {
    ...strategy,
    plan: (input, parameters) => strategy.plan(input, { ...strategy.defaults, ...parameters }),
  };
}

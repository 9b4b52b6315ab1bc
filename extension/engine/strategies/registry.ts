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
const tiers: readonly Strategy[] = [erase(toolCallsStrategy), erase(thresholdStrategy), erase(goalBatchStrategy)];

const pipeline: StrategyChoice = {
  name: 'pipeline',
  title: 'Pipeline',
  description:
    'All three tiers in order: tool calls, then what the agent said above the threshold, then old turns as goal batches.',
  steps: tiers,
};

export const strategyChoices: readonly StrategyChoice[] = [
  pipeline,
  ...tiers.map((strategy) => ({ ...strategy, steps: [strategy] })),
];

export const defaultStrategy = pipeline.name;

export function findStrategy(name: string): StrategyChoice | undefined {
  return strategyChoices.find((choice) => choice.name === name);
}

/** A strategy of its own parameters as one of any: what it is handed has all of its defaults, so none can be missing. */
function erase<P extends Parameters>(strategy: Strategy<P>): Strategy {
  return {
    ...strategy,
    plan: (input, parameters) => strategy.plan(input, { ...strategy.defaults, ...parameters }),
  };
}

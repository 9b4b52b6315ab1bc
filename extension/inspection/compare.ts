import type { Parameters } from '../engine/block/plan';
import type { WritingTools } from '../engine/block/strategy';
import type { PreparedRun } from '../engine/run/prepare/prepared-run';
import type { StrategyChoice } from '../engine/run/prepare/registry';
import type { Inspection } from './inspection';

/** A prepared run of one strategy on a session. */
export interface ComparedStrategy {
  readonly choice: StrategyChoice;
  readonly run: PreparedRun;
  readonly durationMs: number;
}

interface ComparisonOrder {
  readonly tools: WritingTools;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly signal: AbortSignal;
  /** Plans as for a model, although none writes: to estimate what a model would read and write. */
  readonly sizedForModel?: true;
}

/** Prepares a strategy's run without applying it. Ignores its trigger: the result is that of a manual run now. */
export async function compareStrategy(
  inspection: Inspection,
  choice: StrategyChoice,
  order: ComparisonOrder,
): Promise<ComparedStrategy> {
  return await timed(choice, () => inspection.prepare({ ...order, strategy: choice.name, instructions: null }));
}

/** The run of a strategy, with how long it took. */
export async function timed(choice: StrategyChoice, prepare: () => Promise<PreparedRun>): Promise<ComparedStrategy> {
  const began = performance.now();
  const run = await prepare();
  const durationMs = performance.now() - began;
  return { choice, run, durationMs };
}

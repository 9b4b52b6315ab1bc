import type { Parameters } from '../engine/block/plan';
import type { WritingTools } from '../engine/block/strategy';
import type { PreparedRun } from '../engine/run/prepared-run';
import type { StrategyChoice } from '../engine/run/registry';
import { lossOfRun, type RunLoss } from '../engine/run/run-loss';
import type { Inspection } from './inspection';

/** One strategy's dry run on a session. */
export interface ComparedStrategy extends RunLoss {
  readonly choice: StrategyChoice;
  readonly run: PreparedRun;
  readonly durationMs: number;
}

export interface ComparisonOrder {
  readonly tools: WritingTools;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly signal: AbortSignal;
}

/** Works a strategy out without carrying it out. Nobody waits for a trigger: this is what a person would get now. */
export async function compareStrategy(
  inspection: Inspection,
  choice: StrategyChoice,
  order: ComparisonOrder,
): Promise<ComparedStrategy> {
  const began = performance.now();
  const run = await inspection.prepare({ ...order, strategy: choice.name, instructions: null });
  const durationMs = performance.now() - began;
  return { choice, run, durationMs, ...lossOfRun(run) };
}

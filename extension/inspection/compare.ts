import type { Artifact } from '../engine/compaction/loss-report';
import type { Parameters } from '../engine/compaction/plan';
import type { PreparedRun } from '../engine/compaction/run';
import type { StrategyChoice } from '../engine/strategies/registry';
import type { WritingTools } from '../engine/strategies/strategy';
import type { Inspection } from './inspection';

/** One strategy's dry run on a session. */
export interface ComparedStrategy {
  readonly choice: StrategyChoice;
  readonly run: PreparedRun;
  readonly durationMs: number;
  readonly names: Tally;
  /** Sentences of the person: constraints and directions. */
  readonly words: Tally;
}

export interface Tally {
  readonly kept: number;
  readonly lost: number;
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
  return { choice, run, durationMs, names: tally(run, isName), words: tally(run, isWord) };
}

function isWord({ kind }: Artifact): boolean {
  return kind === 'constraint' || kind === 'direction';
}

function isName(artifact: Artifact): boolean {
  return !isWord(artifact);
}

/** Over all blocks that stand in the end: what a later block of the run swallowed is judged by that one. */
function tally({ records }: PreparedRun, counts: (artifact: Artifact) => boolean): Tally {
  const swallowed = new Set(records.flatMap((record) => record.swallowed));
  const standing = records.filter((record) => !swallowed.has(record.seq));
  const count = (artifacts: readonly Artifact[]) => new Set(artifacts.filter(counts).map(({ text }) => text)).size;
  return {
    kept: count(standing.flatMap(({ loss }) => loss.kept)),
    lost: count(standing.flatMap(({ loss }) => loss.lost)),
  };
}

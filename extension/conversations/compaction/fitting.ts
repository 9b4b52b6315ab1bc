import type { Parameters } from '../../engine/block/plan';
import type { WritingTools } from '../../engine/block/strategy';
import type { PreparedRun } from '../../engine/run/prepared-run';
import { findStrategy, type StrategyChoice } from '../../engine/run/registry';
import type { Workbench } from '../../engine/run/workbench';
import { failureText } from '../../middleware/requests/failure-text';
import type { Troubles } from '../troubles';
import { discarding } from './discarding';
import { tokensAtLeast } from './fit';
import { type BegunOutcome, carriedOut, failuresOf, tellOutcome } from './outcomes';
import { type CompactionSettings, orderAsSet, type ToolsOutcome } from './settings';
import { withinWindow } from './small-window';

/** Goes by size alone. */
const bySize = 'checkpoint';

export interface FittingParts {
  readonly workbench: Workbench;
  readonly settings: CompactionSettings;
  readonly tools: () => Promise<ToolsOutcome>;
  readonly withoutModel: WritingTools;
  readonly troubles: Troubles;
}

/**
 * Makes a context fit: by the chosen strategy, then by size alone, then so without a model, and at last by
 * leaving the oldest turns out. Each only where the one before was not enough. Null where none could do anything.
 */
export async function madeToFit(
  parts: FittingParts,
  mostTokens: number,
  signal: AbortSignal,
): Promise<PreparedRun | null> {
  const fitting = new Fitting(parts, mostTokens, signal);
  const parameters = parametersBySize(parts);
  await fitting.try({});
  if (!fitting.hasFailed) await fitting.try({ strategy: bySize, parameters });
  await fitting.try({ strategy: bySize, parameters, withoutModel: true });
  await fitting.try({ strategy: discarding(mostTokens), withoutModel: true });
  return fitting.made;
}

function parametersBySize({ workbench, settings }: FittingParts): Readonly<Record<string, Parameters>> {
  const choice = findStrategy(bySize);
  return choice ? withinWindow(choice, settings.parameters, workbench.contextWindow) : settings.parameters;
}

interface Attempt {
  /** Absent: the chosen one. */
  readonly strategy?: string | StrategyChoice;
  readonly parameters?: Readonly<Record<string, Parameters>>;
  /** Blocks are extracts, whatever summarizer there is. */
  readonly withoutModel?: true;
}

class Fitting {
  /** The newest run that did something. */
  made: PreparedRun | null = null;
  hasFailed = false;

  constructor(
    private readonly parts: FittingParts,
    private readonly mostTokens: number,
    private readonly signal: AbortSignal,
  ) {}

  async try(attempt: Attempt): Promise<void> {
    if (tokensAtLeast(this.parts.workbench.context) <= this.mostTokens) return;
    try {
      const outcome = await this.#compact(attempt);
      if (outcome.kind === 'compacted') this.made = outcome.run;
      // What works without a model says nothing of the model.
      if (!attempt.withoutModel) this.#learnFrom(outcome);
    } catch (error) {
      this.signal.throwIfAborted();
      this.#failed(failureText(error));
    }
  }

  async #compact({ withoutModel, ...attempt }: Attempt): Promise<BegunOutcome> {
    const { workbench, settings, tools } = this.parts;
    const ready = withoutModel ? ({ kind: 'ready', tools: this.parts.withoutModel } as const) : await tools();
    if (ready.kind === 'refused') return { kind: 'stopped', message: ready.message };
    const asked = { trigger: 'automatic', isDue: true, tools: ready.tools, signal: this.signal } as const;
    return await carriedOut(workbench, await workbench.prepare(orderAsSet(settings, { ...asked, ...attempt })));
  }

  #learnFrom(outcome: BegunOutcome): void {
    tellOutcome(outcome, this.parts.troubles);
    if (outcome.kind === 'stopped' || failuresOf(outcome).length > 0) this.hasFailed = true;
  }

  #failed(message: string): void {
    this.hasFailed = true;
    this.parts.troubles.tell(`Compacting failed: ${message}`);
  }
}

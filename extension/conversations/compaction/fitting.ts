import type { WritingTools } from '../../engine/block/strategy';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { defaultStrategy } from '../../engine/run/prepare/registry';
import type { Workbench } from '../../engine/run/workbench';
import { wordingOf } from '../../engine/wording/localizable-text';
import type { Troubles } from '../troubles';
import { inGauge, tokensAtLeast } from './fit';
import { type BegunOutcome, failuresOf, reportOutcome, tryApply } from './outcomes';
import { type CompactionSettings, orderFrom, type ToolsOutcome } from './settings';

export interface FittingParts {
  readonly workbench: Workbench;
  readonly settings: CompactionSettings;
  /** The tools for an automatic run. */
  readonly tools: () => Promise<ToolsOutcome>;
  /** The tools to fall back to. They make no calls, so they cannot fail for external reasons. */
  readonly withoutModel: WritingTools;
  readonly troubles: Troubles;
}

/**
 * Makes a context fit: by the chosen strategy, then by the ladder, then by the ladder without a model. Each attempt runs
 * only if the one before was not enough. Null if none could do anything.
 */
export async function compactToFit(
  parts: FittingParts,
  mostTokens: number,
  signal: AbortSignal,
): Promise<PreparedRun | null> {
  const fitting = new Fitting(parts, mostTokens, signal);
  await fitting.try({});
  if (!fitting.hasFailed) await fitting.try({ strategy: defaultStrategy, ...targetOf(parts, mostTokens) });
  await fitting.try({ strategy: defaultStrategy, ...targetOf(parts, mostTokens), withoutModel: true });
  return fitting.made;
}

function targetOf({ workbench }: FittingParts, mostTokens: number): { readonly targetTokens: number } {
  return { targetTokens: inGauge(mostTokens, workbench.context) };
}

interface Attempt {
  /** Absent: the chosen one. */
  readonly strategy?: string;
  readonly targetTokens?: number;
  /** Write blocks without a model, even if there is one. */
  readonly withoutModel?: true;
}

class Fitting {
  /** The newest run that made a block. */
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
      // The success of an attempt without a model says nothing about the model.
      if (!attempt.withoutModel) this.#learnFrom(outcome);
    } catch (error) {
      this.signal.throwIfAborted();
      this.#failed(error);
    }
  }

  async #compact({ withoutModel, ...attempt }: Attempt): Promise<BegunOutcome> {
    const { workbench, settings, tools } = this.parts;
    const ready = withoutModel ? ({ kind: 'ready', tools: this.parts.withoutModel } as const) : await tools();
    if (ready.kind === 'refused') return { kind: 'stopped', message: ready.message };
    const order = { trigger: 'automatic', isDue: true, tools: ready.tools, signal: this.signal } as const;
    return await tryApply(workbench, await workbench.prepare(orderFrom(settings, { ...order, ...attempt })));
  }

  #learnFrom(outcome: BegunOutcome): void {
    reportOutcome(outcome, this.parts.troubles);
    if (outcome.kind === 'stopped' || failuresOf(outcome).length > 0) this.hasFailed = true;
  }

  #failed(error: unknown): void {
    this.hasFailed = true;
    this.parts.troubles.tell(`Compacting failed: ${wordingOf(error)}`);
  }
}

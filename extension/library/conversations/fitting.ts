import type { PreparedRun } from '../../engine/run/prepared-run';
import { failureText } from '../../middleware/requests/failure-text';
import { tokensAtLeast } from '../../middleware/requests/fit';
import type { AgentContext } from '../agent-context';
import type { FitOptions } from '../options';
import type { FitOutcome } from '../outcomes';
import { discarding } from './discarding';
import type { Troubles } from './troubles';

/** Goes by size alone. */
const bySize = 'checkpoint';

/**
 * Makes a context fit: by the chosen strategy, then by size alone, then so without a model, and at last by
 * leaving the oldest turns out. Each only where the one before was not enough. Null where none could do anything.
 */
export async function madeToFit(
  agent: AgentContext,
  mostTokens: number,
  troubles: Troubles,
  signal: AbortSignal,
): Promise<PreparedRun | null> {
  const fitting = new Fitting(agent, mostTokens, troubles, signal);
  await fitting.try({});
  if (!fitting.hasFailed) await fitting.try({ strategy: bySize });
  await fitting.try({ strategy: bySize, withoutModel: true });
  await fitting.try({ choice: discarding(mostTokens), withoutModel: true });
  return fitting.made;
}

class Fitting {
  /** The newest run that did something. */
  made: PreparedRun | null = null;
  hasFailed = false;

  constructor(
    private readonly agent: AgentContext,
    private readonly mostTokens: number,
    private readonly troubles: Troubles,
    private readonly signal: AbortSignal,
  ) {}

  async try(options: FitOptions): Promise<void> {
    if (tokensAtLeast(this.agent.current) <= this.mostTokens) return;
    try {
      const outcome = await this.agent.compactToFit({ ...options, signal: this.signal });
      if (outcome.kind === 'compacted') this.made = outcome.run;
      // What works without a model says nothing of the model.
      if (!options.withoutModel) this.#learnFrom(outcome);
    } catch (error) {
      this.signal.throwIfAborted();
      this.#failed(failureText(error));
    }
  }

  #learnFrom(outcome: FitOutcome): void {
    tellOutcome(outcome, this.troubles);
    if (outcome.kind === 'stopped' || failuresOf(outcome).length > 0) this.hasFailed = true;
  }

  #failed(message: string): void {
    this.hasFailed = true;
    this.troubles.tell(`Compacting failed: ${message}`);
  }
}

/** Why nothing, or not all, was compacted that should have been. */
export function tellOutcome(outcome: FitOutcome, troubles: Troubles): void {
  if (outcome.kind === 'compacted' && outcome.run.failures.length === 0) troubles.over();
  if (outcome.kind === 'overtaken') troubles.tell(outcome.message);
  // The time that is left to wait is another one each time.
  if (outcome.kind === 'stopped') troubles.tell(outcome.message, outcome.kind);
  for (const failure of failuresOf(outcome)) troubles.tell(`Compacting failed: ${failure}`);
}

function failuresOf(outcome: FitOutcome): readonly string[] {
  return 'run' in outcome ? outcome.run.failures : [];
}

import {
  type AutomationDecision,
  type AutomationInput,
  decideAutomation,
  dueByCount,
} from '../../engine/run/automation/automation';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { Pause } from './pause';

type Around = Omit<AutomationInput, 'fruitless'>;

/**
 * Decides about the automatic runs of one conversation, and remembers what the last one could not do: the same again
 * would come to nothing again. A run by size waits until enough was added, one by count until something else is due. Where
 * a model failed, the same may go well later, so both wait until enough was added.
 */
export class AutomaticRuns {
  readonly #pause = new Pause();
  #hasFailed = false;
  #fruitless: ReadonlySet<string> = new Set();

  decide(around: Around): AutomationDecision {
    const decision = decideAutomation({ ...around, fruitless: this.#fruitless });
    if (decision.kind !== 'run' || (decision.by === 'count' && !this.#hasFailed)) return decision;
    const isPaused = this.#pause.holds(around.context.tokens.total, around.pauseTokens);
    return isPaused ? { kind: 'wait', reason: 'paused' } : decision;
  }

  /** Call after each run, with the current surroundings. */
  ended({ records, failures, before }: PreparedRun, around: Around): void {
    if (records.length === 0) this.#pause.begin(before.tokens.total);
    else this.#pause.end();
    this.#hasFailed = failures.length > 0;
    this.#fruitless = new Set(this.#hasFailed ? [] : dueByCount(around));
  }
}

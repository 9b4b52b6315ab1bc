import {
  type AutomationDecision,
  type AutomationInput,
  decideAutomation,
  decideClearing,
  dueByCount,
} from '../../engine/run/automation/automation';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';

type Input = Omit<AutomationInput, 'fruitless'>;

/**
 * Decides about the automatic runs of one conversation. After a run without a result, a run by size waits until enough was added, and a run
 * by count until something else is due. After a failure of the model, which may be temporary, both wait until enough was added.
 */
export class AutomaticRuns {
  readonly #pause = new Pause();
  #hasFailed = false;
  #fruitless: ReadonlySet<string> = new Set();

  decide(input: Input): AutomationDecision {
    const decision = decideAutomation({ ...input, fruitless: this.#fruitless });
    if (decision.kind !== 'run' || (decision.by === 'count' && !this.#hasFailed)) return decision;
    return this.#isPaused(input) ? { kind: 'wait', reason: 'paused' } : decision;
  }

  /** For a request within a turn. Null if nothing is cleared. */
  decideClearing(input: Input): ReturnType<typeof decideClearing> {
    return this.#isPaused(input) ? null : decideClearing(input);
  }

  #isPaused({ context, pauseTokens }: Input): boolean {
    return this.#pause.holds(context.tokens.total, pauseTokens);
  }

  /** Call after each run, with the current input. */
  ended({ records, failures, before }: PreparedRun, input: Input): void {
    if (records.length === 0) this.#pause.begin(before.tokens.total);
    else this.#pause.end();
    this.#hasFailed = failures.length > 0;
    this.#fruitless = new Set(this.#hasFailed ? [] : dueByCount(input));
  }
}

/**
 * A pause after a run without a result. It lasts until enough was added to the context, because repeating the run at once would have no
 * result either.
 */
export class Pause {
  /** Size of the context in tokens at the start of the pause; null without a pause. */
  #fruitlessAt: number | null = null;

  begin(tokens: number): void {
    this.#fruitlessAt = tokens;
  }

  end(): void {
    this.#fruitlessAt = null;
  }

  /** `enough`: tokens that must be added before the pause ends. */
  holds(tokens: number, enough: number): boolean {
    return this.#fruitlessAt !== null && tokens < this.#fruitlessAt + enough;
  }
}

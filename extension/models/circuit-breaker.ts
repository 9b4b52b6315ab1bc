import { type LanguageModel, ModelFailed } from '../engine/block/language-model';

export interface BreakerOptions {
  /** Number of failures in a row that open the breaker. */
  readonly failuresToOpen: number;
  /** How long it stays open, in milliseconds. */
  readonly restMs: number;
}

export const breakerDefaults: BreakerOptions = { failuresToOpen: 3, restMs: 15 * 60_000 };

export type Admission = { readonly kind: 'admitted' } | { readonly kind: 'refused'; readonly message: string };

/**
 * Stops automatic runs after several failures of a model in a row. Runs by a person always pass. Any success closes it.
 * After a pause, one automatic run may try again; another failure reopens it.
 */
export class CircuitBreaker {
  #failures = 0;
  #lastFailure = '';
  #openUntil = Number.NEGATIVE_INFINITY;

  constructor(
    /** A monotonic clock in milliseconds. */
    private readonly clock: () => number,
    private readonly options: BreakerOptions = breakerDefaults,
  ) {}

  admit(trigger: 'manual' | 'automatic'): Admission {
    const left = this.#openUntil - this.clock();
    if (trigger === 'manual' || left <= 0) return { kind: 'admitted' };
    const minutes = Math.ceil(left / 60_000);
    return {
      kind: 'refused',
      message:
        `The model failed ${this.#failures} times in a row, so nothing is compacted automatically for ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}. ` +
        `Compacting by hand tries again, and ends the wait when it works. The last failure: ${this.#lastFailure}`,
    };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = Number.NEGATIVE_INFINITY;
  }

  failed(message: string): void {
    this.#failures += 1;
    this.#lastFailure = message;
    if (this.#failures >= this.options.failuresToOpen) this.#openUntil = this.clock() + this.options.restMs;
  }
}

/** The same model, reporting the outcome of each call to the breaker. Aborted calls do not count. */
export function watched(model: LanguageModel, breaker: CircuitBreaker): LanguageModel {
  const { name, concurrency } = model;
  return {
    name,
    model: model.model,
    concurrency,
    async complete(prompt, options) {
      try {
        const completion = await model.complete(prompt, options);
        breaker.succeeded();
        return completion;
      } catch (error) {
        if (error instanceof ModelFailed) breaker.failed(error.message);
        throw error;
      }
    },
  };
}

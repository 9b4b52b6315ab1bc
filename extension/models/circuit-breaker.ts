import { type LanguageModel, ModelFailed } from '../engine/block/language-model';

export interface BreakerOptions {
  /** Failures in a row that open it. */
  readonly failuresToOpen: number;
  /** How long it then stays open, in milliseconds. */
  readonly restMs: number;
}

export const breakerDefaults: BreakerOptions = { failuresToOpen: 3, restMs: 15 * 60_000 };

export type Admission = { readonly kind: 'admitted' } | { readonly kind: 'refused'; readonly message: string };

/**
 * Stops automatic runs when a model has failed several times in a row. What a person starts is always let through; one
 * success closes it, whoever had it. After a rest one automatic run may try again, and a further failure opens it anew.
 */
export class CircuitBreaker {
  #failures = 0;
  #lastFailure = '';
  #openUntil = Number.NEGATIVE_INFINITY;

  constructor(
    /** Milliseconds that never run backwards. */
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

/** The same model, with the outcome of each call told to the breaker. A call that was called off says nothing. */
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

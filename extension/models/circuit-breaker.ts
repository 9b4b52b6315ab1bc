import { type LanguageModel, ModelFailed } from '../engine/block/language-model';
import { LocalizableText, localizable } from '../engine/wording/localizable-text';

interface BreakerOptions {
  /** Number of failures in a row that open the breaker. */
  readonly failuresToOpen: number;
  /** How long it stays open, in milliseconds. */
  readonly restMs: number;
}

const breakerDefaults: BreakerOptions = { failuresToOpen: 3, restMs: 15 * 60_000 };

type Admission = { readonly kind: 'admitted' } | { readonly kind: 'refused'; readonly message: LocalizableText };

/**
 * Stops automatic runs after several failures of a model in a row. Runs by a person always pass. Any success closes it.
 * After a pause, one automatic run may try again; another failure reopens it.
 */
export class CircuitBreaker {
  #failures = 0;
  #lastFailure = new LocalizableText('');
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
    return { kind: 'refused', message: refusal(this.#failures, minutes, this.#lastFailure) };
  }

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = Number.NEGATIVE_INFINITY;
  }

  failed(message: LocalizableText): void {
    this.#failures += 1;
    this.#lastFailure = message;
    if (this.#failures >= this.options.failuresToOpen) this.#openUntil = this.clock() + this.options.restMs;
  }
}

function refusal(failures: number, minutes: number, lastFailure: LocalizableText): LocalizableText {
  if (minutes === 1)
    return localizable(
      'The model failed {0} times in a row, so nothing is compacted automatically for 1 more minute. Compacting by hand tries again, and ends the wait when it works. The last failure: {1}',
      failures,
      lastFailure,
    );
  return localizable(
    'The model failed {0} times in a row, so nothing is compacted automatically for {1} more minutes. Compacting by hand tries again, and ends the wait when it works. The last failure: {2}',
    failures,
    minutes,
    lastFailure,
  );
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
        if (error instanceof ModelFailed) breaker.failed(error.wording);
        throw error;
      }
    },
  };
}

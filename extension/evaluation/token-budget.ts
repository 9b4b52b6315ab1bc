import { type LanguageModel, ModelFailed } from '../engine/block/language-model';
import { amount, localizable } from '../engine/wording/localizable-text';

/** The limit on the tokens of a run's model calls, input and output together, as the model reports them. */
export class TokenBudget {
  /** Number of units that were completed within it. The run counts them. */
  played = 0;
  #spent = 0;
  #hasRefused = false;

  constructor(readonly tokens: number) {}

  get spent(): number {
    return this.#spent;
  }

  /** A call was refused, so the work around it is incomplete. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  /** Whether another unit can probably be completed: it is assumed to cost the average of the units so far. */
  get hasRoom(): boolean {
    const perUnit = this.played === 0 ? 1 : this.#spent / this.played;
    return !this.#hasRefused && this.#spent + perUnit <= this.tokens;
  }

  /** The same model; once the budget is spent, its calls are refused. The last call may exceed the budget. */
  metered(model: LanguageModel): LanguageModel {
    return {
      ...model,
      complete: async (prompt, options) => {
        if (this.#spent >= this.tokens) throw this.#refusal();
        const completion = await model.complete(prompt, options);
        this.#spent += completion.tokens.input + completion.tokens.output;
        return completion;
      },
    };
  }

  #refusal(): ModelFailed {
    this.#hasRefused = true;
    return new ModelFailed('refused', localizable('The budget of {0} tokens is spent.', amount(this.tokens)));
  }
}

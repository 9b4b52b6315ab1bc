import { type LanguageModel, ModelFailed } from '../engine/block/language-model';
import { amount, localizable } from '../engine/wording/localizable-text';

/** The limit on the tokens of a run's model calls, input and output together, as the model reports them. */
export class TokenBudget {
  #spent = 0;
  #hasRefused = false;
  #played = 0;

  constructor(readonly tokens: number) {}

  get spent(): number {
    return this.#spent;
  }

  /** A call was refused, so the work around it is incomplete. */
  get hasRefused(): boolean {
    return this.#hasRefused;
  }

  /** Number of units that were completed within it. */
  get played(): number {
    return this.#played;
  }

  /** Whether another unit can probably be completed: it is assumed to cost the average of the units so far. */
  get hasRoom(): boolean {
    const perUnit = this.#played === 0 ? 1 : this.#spent / this.#played;
    return !this.#hasRefused && this.#spent + perUnit <= this.tokens;
  }

  /** Call for each unit that was completed. */
  unitPlayed(): void {
    this.#played += 1;
  }

  /** The same model; once the budget is spent, its calls are refused. The last call may exceed the budget. */
  metered(model: LanguageModel): LanguageModel {
    const { name, concurrency } = model;
    return {
      name,
      model: model.model,
      concurrency,
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

import type { CompletionOptions, LanguageModel, Prompt } from '../block/language-model';
import type { WrittenBlock } from '../block/strategy';
import { portableSha256 } from '../conversation/sha256';

/** Records the cost of a policy's model calls for its block. */
export class ModelMeter {
  #input = 0;
  #output = 0;
  #asked = '';

  /** The model to pass to the policy. */
  readonly metered: LanguageModel | null;

  constructor(readonly model: LanguageModel | null) {
    this.metered = model && {
      name: model.name,
      model: model.model,
      concurrency: model.concurrency,
      complete: (prompt, options) => this.#complete(model, prompt, options),
    };
  }

  async #complete(model: LanguageModel, prompt: Prompt, options: CompletionOptions) {
    const completion = await model.complete(prompt, options);
    this.#input += completion.tokens.input;
    this.#output += completion.tokens.output;
    this.#asked += `${prompt.system}\n\n${prompt.user}\n\n`;
    return completion;
  }

  get spent(): Pick<WrittenBlock, 'tokensSpent' | 'promptHash'> & { readonly model: string | null } {
    const wasAsked = this.#asked !== '';
    return {
      tokensSpent: { input: this.#input, output: this.#output },
      promptHash: wasAsked ? portableSha256(this.#asked) : null,
      model: wasAsked && this.model ? this.model.model : null,
    };
  }
}

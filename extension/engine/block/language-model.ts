/** What a model is told: who it is, and what is asked. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

export interface CompletionOptions {
  /** The most tokens of output that are wanted. A model that goes on is cut off. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
  /** Called with the text so far while it streams. */
  readonly onText?: (text: string) => void;
}

export interface Completion {
  /** Without the model's reasoning. */
  readonly text: string;
  /** As the endpoint reported them, else counted. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** The text ends because `maxTokens` was reached. */
  readonly isCut: boolean;
}

/** A model behind an endpoint. Who implements this sees to timeouts and retries. */
export interface LanguageModel {
  /** The kind of endpoint: `openai`, `vscode`. */
  readonly name: string;
  readonly model: string;
  /** How many calls at once do no harm. */
  readonly concurrency: number;
  /** Rejects with `ModelFailed`, or with the signal's reason once that is aborted. */
  complete(prompt: Prompt, options: CompletionOptions): Promise<Completion>;
}

export type ModelFailure = 'timeout' | 'rate-limited' | 'unavailable' | 'refused' | 'misconfigured' | 'broken-answer';

/** A call of a model came to nothing; the message names the call and says why. */
export class ModelFailed extends Error {
  override name = 'ModelFailed';

  constructor(
    readonly kind: ModelFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Turns texts into vectors of one length, in the same order. */
export interface Embedder {
  readonly name: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

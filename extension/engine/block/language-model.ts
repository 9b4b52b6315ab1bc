import { LocalizableError, LocalizableText } from '../wording/localizable-text';

/** A prompt: the role of the model, and the request. */
export interface Prompt {
  readonly system: string;
  readonly user: string;
}

/** The prompt as it may be sent: servers refuse a request with half a surrogate pair, which a session file can contain. */
export function sendable({ system, user }: Prompt): Prompt {
  return { system: system.toWellFormed(), user: user.toWellFormed() };
}

export interface CompletionOptions {
  /** Maximum tokens of output. Longer answers are cut off. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
  /** Called with the text so far while it streams. */
  readonly onText?: (text: string) => void;
}

export interface Completion {
  /** Without reasoning. */
  readonly text: string;
  /** As reported by the endpoint, otherwise counted. */
  readonly tokens: { readonly input: number; readonly output: number };
  /** The text reached `maxTokens` and was cut off. */
  readonly isCut: boolean;
}

/** A model behind an endpoint. The implementation handles timeouts and retries. */
export interface LanguageModel {
  /** The kind of endpoint: `openai`, `vscode`. */
  readonly name: string;
  readonly model: string;
  /** How many calls may run at once. */
  readonly concurrency: number;
  /** Rejects with `ModelFailed`, or with the signal's reason on abort. */
  complete(prompt: Prompt, options: CompletionOptions): Promise<Completion>;
}

export type ModelFailure = 'timeout' | 'rate-limited' | 'unavailable' | 'refused' | 'misconfigured' | 'broken-answer';

/** A failed call of a model. The message names the call and the reason. A string is shown to the user as it is. */
export class ModelFailed extends LocalizableError {
  override name = 'ModelFailed';

  constructor(
    readonly kind: ModelFailure,
    message: string | LocalizableText,
    options?: ErrorOptions,
  ) {
    super(typeof message === 'string' ? new LocalizableText(message) : message, options);
  }
}

/** The failure of a model as a value. Rethrows every other error, and the signal's reason on abort. */
export async function failureOr<T>(signal: AbortSignal, act: () => Promise<T>): Promise<T | ModelFailed> {
  try {
    return await act();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ModelFailed) return error;
    throw error;
  }
}

/** Converts texts to vectors of one length, in the same order. */
export interface Embedder {
  readonly name: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

import * as vscode from 'vscode';
import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';
import { Patience, type PatienceLimits } from '../../models/patience';

/** One call of a VS Code model, with a time limit. */
export class VscodeCall implements Disposable {
  /** The name in error messages. */
  readonly name: LocalizableText;
  readonly patience: Patience;
  readonly #cancellation = new vscode.CancellationTokenSource();

  constructor(chat: vscode.LanguageModelChat, limits: PatienceLimits, signal: AbortSignal) {
    this.name = callOf(chat);
    this.patience = new Patience(this.name, limits, signal);
    this.patience.signal.addEventListener('abort', () => this.#cancellation.cancel());
  }

  get token(): vscode.CancellationToken {
    return this.#cancellation.token;
  }

  /** Throws the reason of an abort or of a time limit; returns the `ModelFailed` of any other error. */
  failure(error: unknown): ModelFailed {
    this.patience.throwIfEnded();
    return failureOf(error, this.name);
  }

  /** Also cancels a call whose answer was not read to its end. */
  [Symbol.dispose](): void {
    this.#cancellation.cancel();
    this.#cancellation.dispose();
    this.patience.dispose();
  }
}

/** Name of a VS Code model call in error messages. */
function callOf({ name, vendor }: Pick<vscode.LanguageModelChat, 'name' | 'vendor'>): LocalizableText {
  return localizable('VS Code’s model {0} ({1})', name, vendor);
}

/** Codes of `LanguageModelError`. */
const kindOfCode: Readonly<Partial<Record<string, ModelFailure>>> = {
  NoPermissions: 'refused',
  Blocked: 'rate-limited',
  NotFound: 'misconfigured',
};

/** Wraps an error in a `ModelFailed` that names the call and the root cause. */
function failureOf(error: unknown, call: LocalizableText): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const words = error instanceof Error ? rootMessage(error) : String(error);
  const kind = kindOfCode[code] ?? 'unavailable';
  const text =
    code === '' ? localizable('{0} failed: {1}', call, words) : localizable('{0} failed ({1}): {2}', call, code, words);
  return new ModelFailed(kind, text, { cause: error });
}

function rootMessage(error: Error): string {
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}

import type * as vscode from 'vscode';
import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';
import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';

/** Name of a VS Code model call in error messages. */
export function callOf({ name, vendor }: Pick<vscode.LanguageModelChat, 'name' | 'vendor'>): LocalizableText {
  return localizable('VS Code’s model {0} ({1})', name, vendor);
}

/** Codes of `LanguageModelError`. */
const kindOfCode: Readonly<Partial<Record<string, ModelFailure>>> = {
  NoPermissions: 'refused',
  Blocked: 'rate-limited',
  NotFound: 'misconfigured',
};

/** Wraps an error in a `ModelFailed` that names the call and the root cause. */
export function failureOf(error: unknown, call: LocalizableText): ModelFailed {
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

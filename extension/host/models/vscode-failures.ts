import type * as vscode from 'vscode';
import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';

/** Name of a VS Code model call in error messages. */
export function callOf({ name, vendor }: Pick<vscode.LanguageModelChat, 'name' | 'vendor'>): string {
  return `VS Code’s model ${name} (${vendor})`;
}

/** Codes of `LanguageModelError`. */
const kindOfCode: Readonly<Partial<Record<string, ModelFailure>>> = {
  NoPermissions: 'refused',
  Blocked: 'rate-limited',
  NotFound: 'misconfigured',
};

/** Wraps an error in a `ModelFailed` that names the call and the root cause. */
export function failureOf(error: unknown, call: string): ModelFailed {
  if (error instanceof ModelFailed) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const words = error instanceof Error ? rootMessage(error) : String(error);
  const kind = kindOfCode[code] ?? 'unavailable';
  return new ModelFailed(kind, `${call} failed${code === '' ? '' : ` (${code})`}: ${words}`, { cause: error });
}

function rootMessage(error: Error): string {
  return error.cause instanceof Error ? rootMessage(error.cause) : error.message;
}

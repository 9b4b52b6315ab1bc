import type * as vscode from 'vscode';
import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';

/** How failures name a call of one of VS Code's models. */
export function callOf({ name, vendor }: Pick<vscode.LanguageModelChat, 'name' | 'vendor'>): string {
  return `VS Code’s model ${name} (${vendor})`;
}

/** The names that `LanguageModelError` gives its codes. */
const kindOfCode: Readonly<Partial<Record<string, ModelFailure>>> = {
  NoPermissions: 'refused',
  Blocked: 'rate-limited',
  NotFound: 'misconfigured',
};

/** Whatever went wrong as a `ModelFailed` that names the call and gives the innermost reason. */
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

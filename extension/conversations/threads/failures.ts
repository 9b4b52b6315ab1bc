import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';
import { LocalizableError, portableText, rebuiltText } from '../../engine/wording/localizable-text';
import type { Failure } from './messages';

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  const { name, message, stack = '' } = error;
  const failure = { name, message, stack };
  if (!(error instanceof LocalizableError)) return failure;
  const wording = portableText(error.wording);
  return error instanceof ModelFailed ? { ...failure, wording, model: error.kind } : { ...failure, wording };
}

/** The error again, as far as callers tell errors apart: by name and, for a model's failure, by kind. */
export function errorOf(failure: Failure): Error {
  const error = bareErrorOf(failure);
  if (error instanceof ModelFailed) return error;
  error.name = failure.name;
  if (failure.stack !== '') error.stack = failure.stack;
  return error;
}

function bareErrorOf({ message, wording, model }: Failure): Error {
  if (wording === undefined) return new Error(message);
  const text = rebuiltText(wording);
  return model === undefined ? new LocalizableError(text) : new ModelFailed(model as ModelFailure, text);
}

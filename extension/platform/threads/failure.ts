import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';
import { LocalizableError, type PortableText, portableText, rebuiltText } from '../../engine/wording/localizable-text';

/** An error as plain data, to send to another thread. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** The wording of a `LocalizableError`. */
  readonly wording?: PortableText;
  /** The kind of a `ModelFailed`. */
  readonly model?: string;
}

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  const { name, message, stack = '' } = error;
  const failure = { name, message, stack };
  if (!(error instanceof LocalizableError)) return failure;
  const wording = portableText(error.wording);
  return error instanceof ModelFailed ? { ...failure, wording, model: error.kind } : { ...failure, wording };
}

/** Rebuilds the error as far as callers tell errors apart: by name and, for a model's failure, by kind. */
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

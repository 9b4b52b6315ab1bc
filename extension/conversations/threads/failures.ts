import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';
import type { Failure } from './messages';

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  const { name, message, stack = '' } = error;
  return { name, message, stack, ...(error instanceof ModelFailed ? { modelFailure: error.kind } : {}) };
}

/** The error again, as far as whoever catches it tells errors apart. */
export function errorOf({ name, message, stack, modelFailure }: Failure): Error {
  if (modelFailure !== undefined) return new ModelFailed(modelFailure as ModelFailure, message);
  const error = new Error(message);
  error.name = name;
  if (stack !== '') error.stack = stack;
  return error;
}

import { ModelFailed, type ModelFailure } from '../../engine/block/language-model';
import { portableText, rebuiltText } from '../../engine/wording/localizable-text';
import type { Failure } from './messages';

export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: '' };
  const { name, message, stack = '' } = error;
  if (!(error instanceof ModelFailed)) return { name, message, stack };
  return { name, message, stack, model: { kind: error.kind, wording: portableText(error.wording) } };
}

/** The error again, as far as whoever catches it tells errors apart. */
export function errorOf({ name, message, stack, model }: Failure): Error {
  if (model !== undefined) return new ModelFailed(model.kind as ModelFailure, rebuiltText(model.wording));
  const error = new Error(message);
  error.name = name;
  if (stack !== '') error.stack = stack;
  return error;
}

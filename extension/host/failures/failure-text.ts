import * as l10n from '@vscode/l10n';
import { OperationRefused } from '../../engine/journal/operation-refused';

/** Message for a person, in the display language if it is a refusal. */
export function failureText(error: unknown): string {
  if (error instanceof OperationRefused) return translatedRefusal(error);
  return error instanceof Error ? error.message : String(error);
}

/** The sentences are collected for translators from where refusals are made; see test/l10n.test.ts. */
function translatedRefusal({ sentence, values }: OperationRefused): string {
  const translate: (message: string, ...args: (string | number)[]) => string = l10n.t;
  return translate(sentence, ...values);
}

/** Details for the log. */
export function failureDetail(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

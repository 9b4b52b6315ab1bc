import * as l10n from '@vscode/l10n';
import { isAmount, LocalizableText, type LocalizableValue, wordingOf } from '../../engine/wording/localizable-text';

/** Message for the user: in the display language, if the error is localizable. */
export function failureText(error: unknown): string {
  return translated(wordingOf(error));
}

/** The text in the display language. test/l10n.test.ts collects the texts for translators from where they are made. */
export function translated({ text, values }: LocalizableText): string {
  const translate: (message: string, ...args: (string | number)[]) => string = l10n.t;
  return translate(text, ...values.map(shown));
}

function shown(value: LocalizableValue): string | number {
  if (value instanceof LocalizableText) return translated(value);
  return isAmount(value) ? value.amount.toLocaleString() : value;
}

/** Details for the log. */
export function failureDetail(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

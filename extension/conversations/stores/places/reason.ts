import { asLocalizable, type LocalizableText, wordingOf } from '../../../engine/wording/localizable-text';

/** Why a call failed. An error of several addresses of one name has no message of its own, so its first one counts. */
export function reasonOf(error: unknown): LocalizableText {
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0) {
    return reasonOf(error.errors[0]);
  }
  const wording = wordingOf(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return String(wording) === '' && code !== '' ? asLocalizable(code) : wording;
}

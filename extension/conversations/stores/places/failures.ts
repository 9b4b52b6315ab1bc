import {
  asLocalizable,
  LocalizableError,
  type LocalizableText,
  wordingOf,
} from '../../../engine/wording/localizable-text';

/** `wrong-place`: the place is not that of a store; `wrong-key`: the key cannot be used; `not-reached`: the store did not open. */
type NotOpenedBecause = 'wrong-place' | 'wrong-key' | 'not-reached';

/** A store cannot be opened. The message names it without its password. */
export class StoreNotOpened extends LocalizableError {
  override name = 'StoreNotOpened';

  constructor(
    readonly because: NotOpenedBecause,
    wording: LocalizableText,
    options?: ErrorOptions,
  ) {
    super(wording, options);
  }
}

/** Why a call failed. If several addresses of one name fail, the error itself has no message, so the message of the first one is used. */
export function reasonOf(error: unknown): LocalizableText {
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0) {
    return reasonOf(error.errors[0]);
  }
  const wording = wordingOf(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return String(wording) === '' && code !== '' ? asLocalizable(code) : wording;
}

export function wrongPlace(wording: LocalizableText): StoreNotOpened {
  return new StoreNotOpened('wrong-place', wording);
}

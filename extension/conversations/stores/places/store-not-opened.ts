import { LocalizableError, type LocalizableText } from '../../../engine/wording/localizable-text';

/** `wrong-place`: the place names no store; `wrong-key`: no key that encrypts; `not-reached`: the store did not open. */
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

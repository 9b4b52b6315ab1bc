import { LocalizableError, LocalizableText, type LocalizableValue } from '../wording/localizable-text';

/** An operation that cannot be carried out. Nothing has changed. A text without values may be given as a string. */
export class OperationRefused extends LocalizableError {
  override name = 'OperationRefused';

  constructor(text: string | LocalizableText, values: readonly LocalizableValue[] = [], options?: ErrorOptions) {
    super(typeof text === 'string' ? new LocalizableText(text, values) : text, options);
  }
}

import { LocalizableError } from '../engine/wording/localizable-text';

/** The file is not there any more, or no longer what it was; the message names it. */
export class SessionGone extends LocalizableError {
  override name = 'SessionGone';
}

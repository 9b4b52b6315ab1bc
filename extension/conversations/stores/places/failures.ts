import {
  asLocalizable,
  LocalizableError,
  type LocalizableText,
  wordingOf,
} from '../../../engine/wording/localizable-text';

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

/** Why a call failed. An error of several addresses of one name has no message of its own, so its first one counts. */
export function reasonOf(error: unknown): LocalizableText {
  if (error instanceof AggregateError && error.message === '' && error.errors.length > 0) {
    return reasonOf(error.errors[0]);
  }
  const wording = wordingOf(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return String(wording) === '' && code !== '' ? asLocalizable(code) : wording;
}

/** Codes of connections that were not made or broke, and of a Postgres that starts, ends or is full. */
const ofConnections =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|EPIPE|EAI_AGAIN|08\w{3}|57P0\d|53\w{3})$/;

/** What `pg` and `redis` say without a code: of a connection, of a command without one, of a server that still loads its data. */
const ofClients =
  /timeout|timed out|Connection terminated|closed unexpectedly|client is (?:offline|closed)|^(?:LOADING|MASTERDOWN)|no answer within/i;

/** Whether the server cannot be reached for now: one that refuses the user or knows no such database answers. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return ofConnections.test(code) || ofClients.test(error.message) || isAway(error.cause);
}

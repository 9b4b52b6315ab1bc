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

/** Codes of failed or broken connections, and of a Postgres server that is starting, stopping or full. */
const ofConnections =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|EPIPE|EAI_AGAIN|08\w{3}|57P0\d|53\w{3})$/;

/**
 * Messages of `pg` and `redis` that have no code: about a connection, a command without one, or a server that is still loading its data.
 */
const ofClients =
  /timeout|timed out|Connection terminated|closed unexpectedly|client is (?:offline|closed)|^(?:LOADING|MASTERDOWN)|no answer within/i;

/** Whether the server cannot be reached for now. A server that rejects the user or the database can be reached. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return ofConnections.test(code) || ofClients.test(error.message) || isAway(error.cause);
}

/** A request was not sent, because it could not be kept or made to fit: `whenItFails: 'throw'`. */
export class NotCompacted extends Error {
  override name = 'NotCompacted';

  constructor(
    message: string,
    readonly reason: 'too-large' | 'not-kept',
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What becomes of a request that cannot be kept or made to fit: it is sent all the same, or it rejects with `NotCompacted`. */
export type WhenItFails = 'send' | 'throw';

/** What rejects a request for this reason. */
export function notCompacted(error: unknown): NotCompacted {
  return error instanceof NotCompacted
    ? error
    : new NotCompacted(`A request was not sent, because it could not be kept: ${String(error)}`, 'not-kept', {
        cause: error,
      });
}

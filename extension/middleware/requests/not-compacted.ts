/** A request was not sent, because it could not be recorded or made to fit the window: `whenItFails: 'throw'`. */
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

/** Whether a request that cannot be recorded or made to fit is sent unchanged, or rejects with `NotCompacted`. */
export type WhenItFails = 'send' | 'throw';

/** The error to reject a request with for this reason. */
export function notCompacted(error: unknown): NotCompacted {
  return error instanceof NotCompacted
    ? error
    : new NotCompacted(`A request was not sent, because it could not be kept: ${String(error)}`, 'not-kept', {
        cause: error,
      });
}

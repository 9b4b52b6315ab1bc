/** What a person is told on standard error. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';

  constructor(
    message: string,
    /** The command was called in a way that it does not understand. */
    readonly isUsage = false,
  ) {
    super(message);
  }
}

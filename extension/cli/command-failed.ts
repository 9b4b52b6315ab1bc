/** A command failed; the message goes to standard error. */
export class CommandFailed extends Error {
  override name = 'CommandFailed';

  constructor(
    message: string,
    /** The command line is wrong (exit code 2). */
    readonly isUsage = false,
  ) {
    super(message);
  }
}

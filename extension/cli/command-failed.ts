/** Part of the contract in docs/cli.md, which scripts rely on. */
export const exitCodes = { success: 0, failed: 1, usage: 2 };

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

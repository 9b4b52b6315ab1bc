// Not in check-options.ts, because the types of the library must not need valibot.

/** An option is unknown, missing, or has a value that it does not take. */
export class InvalidOption extends RangeError {
  override name = 'InvalidOption';
}

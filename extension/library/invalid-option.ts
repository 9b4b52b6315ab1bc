/** An option is unknown, missing, or has a value that it does not take. */
export class InvalidOption extends RangeError {
  override name = 'InvalidOption';
}

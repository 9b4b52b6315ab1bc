/** An operation that cannot be carried out as asked; the message says why. Nothing has changed. */
export class OperationRefused extends Error {
  override name = 'OperationRefused';
}

/** An operation that cannot be carried out. The message gives the reason; nothing has changed. */
export class OperationRefused extends Error {
  override name = 'OperationRefused';
}

/** Something the webview refers to is no longer there; it will have been told of the change by now. */
export class Outdated extends Error {
  override name = 'Outdated';
}

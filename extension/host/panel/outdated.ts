/** The webview refers to something that no longer exists. A notification of the change is on its way. */
export class Outdated extends Error {
  override name = 'Outdated';
}

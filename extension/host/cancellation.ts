import type * as vscode from 'vscode';

interface Cancellation extends Disposable {
  readonly signal: AbortSignal;
}

/** The editor's token as a signal. `reasonOf`: why it is aborted; by default the web's own error. */
export function cancellationBy(token: vscode.CancellationToken, reasonOf?: () => Error): Cancellation {
  const controller = new AbortController();
  const cancel = () => controller.abort(reasonOf?.());
  if (token.isCancellationRequested) cancel();
  const listening = token.onCancellationRequested(cancel);
  return { signal: controller.signal, [Symbol.dispose]: () => listening.dispose() };
}

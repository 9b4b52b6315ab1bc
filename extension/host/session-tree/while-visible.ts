import type * as vscode from 'vscode';

type SeenView = Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>;

/** Runs `appeared` each time the view is shown, and `again` after each `period` (milliseconds) for as long as it is. */
export function whileVisible(
  view: SeenView,
  period: number,
  { appeared, again }: { readonly appeared: () => void; readonly again: () => void },
): vscode.Disposable {
  let timer: ReturnType<typeof setInterval> | undefined;
  const look = (isVisible: boolean) => {
    clearInterval(timer);
    timer = undefined;
    if (!isVisible) return;
    timer = setInterval(again, period);
    appeared();
  };
  if (view.visible) look(true);
  const listener = view.onDidChangeVisibility(({ visible }) => look(visible));
  return {
    dispose() {
      clearInterval(timer);
      listener.dispose();
    },
  };
}

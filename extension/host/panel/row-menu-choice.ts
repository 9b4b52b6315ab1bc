import type { RowAction } from '../../protocol/messages';

export function rowCommandId(action: RowAction): string {
  return `strata.row.${action}`;
}

/** A row whose menu was used, and the type of its webview. */
interface ChosenRow<Type extends string> {
  readonly key: string;
  readonly webview: Type;
}

/**
 * Reads the context of a menu command: VS Code passes the row's `data-vscode-context` and the type of the webview. Null if
 * the command was not run from the menu.
 */
export function chosenRow<Type extends string>(context: unknown, webviews: readonly Type[]): ChosenRow<Type> | null {
  const { strataRow, webview } = (context ?? {}) as Readonly<Record<string, unknown>>;
  const known = webviews.find((type) => type === webview);
  return typeof strataRow === 'string' && known !== undefined ? { key: strataRow, webview: known } : null;
}

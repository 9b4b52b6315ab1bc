import type { RowAction } from '../../protocol/messages';

export function rowCommandId(action: RowAction): string {
  return `strata.row.${action}`;
}

/** The row whose menu it was, and the type of the webview that it is in. */
export interface ChosenRow<Type extends string> {
  readonly key: string;
  readonly webview: Type;
}

/**
 * The editor hands over what `data-vscode-context` says, and with it which webview that was. Null where a command of the
 * menu was run from elsewhere.
 */
export function chosenRow<Type extends string>(context: unknown, webviews: readonly Type[]): ChosenRow<Type> | null {
  const { strataRow, webview } = (context ?? {}) as Readonly<Record<string, unknown>>;
  const known = webviews.find((type) => type === webview);
  return typeof strataRow === 'string' && known !== undefined ? { key: strataRow, webview: known } : null;
}

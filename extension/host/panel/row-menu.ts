import * as vscode from 'vscode';
import { OperationRefused } from '../../inspection/inspection';
import { type RowAction, rowActions } from '../../protocol/messages';
import { rowCommandId } from '../command-ids';
import { registerHandlers } from '../failures/telling-failures';
import { editorType, type Placements, viewId } from './placements';

/** Registers the commands of a row's context menu. The row's webview carries them out. */
export function registerRowMenu(placements: Placements, log: vscode.LogOutputChannel): vscode.Disposable {
  const handlerOf = (action: RowAction) => (context: unknown) => {
    const row = chosenRow(context, [viewId, editorType]);
    if (row === null) throw new OperationRefused(vscode.l10n.t('Choose a row in the inspector.'));
    placements.tellOnly(row.webview, 'row-action', { action, key: row.key });
  };
  return registerHandlers(
    log,
    Object.fromEntries(rowActions.map((action) => [rowCommandId(action), handlerOf(action)])),
  );
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

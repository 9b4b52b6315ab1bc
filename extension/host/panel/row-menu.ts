import * as vscode from 'vscode';
import { OperationRefused } from '../../inspection/inspection';
import { rowActions } from '../../protocol/messages';
import { tellingFailures } from '../failures/telling-failures';
import { editorType, type Placements, viewId } from './placements';
import { chosenRow, rowCommandId } from './row-menu-choice';

/** Registers the commands of a row's context menu. The row's webview carries them out. */
export function registerRowMenu(placements: Placements, log: vscode.LogOutputChannel): vscode.Disposable {
  return vscode.Disposable.from(
    ...rowActions.map((action) => {
      const id = rowCommandId(action);
      return vscode.commands.registerCommand(id, (context: unknown) =>
        tellingFailures(log, id, () => {
          const row = chosenRow(context, [viewId, editorType]);
          if (row === null) throw new OperationRefused(vscode.l10n.t('Choose a row in the inspector.'));
          placements.tellOnly(row.webview, 'row-action', { action, key: row.key });
        }),
      );
    }),
  );
}

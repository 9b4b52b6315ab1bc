import * as vscode from 'vscode';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { chatCommandIds } from '../command-ids';
import { runLine } from '../compaction/run-notice';
import type { EditorConversation } from '../conversations/editor-conversations';

/** Reports in the chat that the conversation was compacted automatically, with Undo. */
export function tellAutomaticRun(
  stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>,
  { id }: EditorConversation,
  run: PreparedRun,
): void {
  const [first] = run.records;
  if (!first) return;
  stream.markdown(`\n\n> ${vscode.l10n.t('Compacted automatically: {0}.', runLine(run))}\n\n`);
  stream.button({ command: chatCommandIds.undoRun, title: vscode.l10n.t('Undo'), arguments: [id, first.run] });
  stream.button({ command: chatCommandIds.show, title: vscode.l10n.t('Show'), arguments: [id, 'compactions'] });
}

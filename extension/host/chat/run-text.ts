import * as vscode from 'vscode';
import type { PreparedRun } from '../../engine/run/prepared-run';
import { runLine } from '../compaction/run-notice';
import type { EditorConversation } from '../conversations/editor-conversations';
import { chatCommandIds } from './command-ids';

/** Says in the chat that the conversation was compacted by itself, with a way back. */
export function tellAutomaticRun(
  stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>,
  { id }: EditorConversation,
  run: PreparedRun,
): void {
  const [first] = run.records;
  if (!first) return;
  stream.markdown(`\n\n> ${vscode.l10n.t('Compacted by itself: {0}.', runLine(run))}\n\n`);
  stream.button({ command: chatCommandIds.undoRun, title: vscode.l10n.t('Undo'), arguments: [id, first.run] });
  stream.button({ command: chatCommandIds.show, title: vscode.l10n.t('Show'), arguments: [id, 'compactions'] });
}

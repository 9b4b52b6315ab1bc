import * as vscode from 'vscode';

/** What a person is likely to want next: to see what a compaction would do once they have seen what there is. */
export function followUps({ errorDetails, metadata }: vscode.ChatResult): vscode.ChatFollowup[] {
  if (errorDetails) return [];
  if (metadata?.command === 'context') {
    return [{ prompt: '', command: 'compact', label: vscode.l10n.t('What would a compaction do?') }];
  }
  return [{ prompt: '', command: 'context', label: vscode.l10n.t('What is in the context?') }];
}

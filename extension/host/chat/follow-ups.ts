import * as vscode from 'vscode';

/** Likely next steps: after the context, a preview of a compaction. */
export function followUps({ errorDetails, metadata }: vscode.ChatResult): vscode.ChatFollowup[] {
  if (errorDetails) return [];
  if (metadata?.command === 'context') {
    return [{ prompt: '', command: 'compact', label: vscode.l10n.t('What would a compaction do?') }];
  }
  return [{ prompt: '', command: 'context', label: vscode.l10n.t('What is in the context?') }];
}

import * as vscode from 'vscode';
import type { Inspector } from '../inspector';
import { compactionsLabel } from '../view/session-view';

/** Undoes a compaction; asks first when later ones lie over it and would come undone with it. */
export async function confirmUndo(inspector: Inspector, seq?: number): Promise<void> {
  const plan = inspector.required().planUndo(seq);
  if (plan.kind === 'undoes' && plan.alsoUndone.length > 0 && !(await confirmed(plan.asked, plan.alsoUndone))) return;
  await inspector.change((inspection) => inspection.undo(seq));
}

async function confirmed(asked: readonly number[], alsoUndone: readonly number[]): Promise<boolean> {
  const undo = vscode.l10n.t('Undo All');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Undo {0}?', compactionsLabel(asked)),
    {
      modal: true,
      detail: vscode.l10n.t('It lies beneath {0}, which will be undone with it.', compactionsLabel(alsoUndone)),
    },
    undo,
  );
  return chosen === undo;
}

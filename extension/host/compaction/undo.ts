import * as vscode from 'vscode';
import { isUndoneByAgent } from '../../agents/undo';
import { agentNames } from '../../sessions/session';
import type { Inspector } from '../inspector';
import { compactionsLabel } from '../view/session-view';

/**
 * Undoes a compaction; asks first when later ones lie over it and would come undone with it. One that the agent carried out
 * in its own session is taken back there, by a command: the person is told.
 */
export async function confirmUndo(inspector: Inspector, seq?: number): Promise<void> {
  const inspection = inspector.required();
  const plan = inspection.planUndo(seq);
  if (plan.kind === 'undoes' && isUndoneByAgent(inspection, plan.asked)) {
    if (!(await wantsJournalOnly(agentNames[inspection.session.agent]))) return;
  }
  if (plan.kind === 'undoes' && plan.alsoUndone.length > 0 && !(await confirmed(plan.asked, plan.alsoUndone))) return;
  await inspector.change((inspection) => inspection.undo(seq));
}

/** In the agent. */
const undoInAgent = '/strata undo';

/** Otherwise nothing is undone here: the command in the agent does both. */
async function wantsJournalOnly(agent: string): Promise<boolean> {
  const copy = vscode.l10n.t('Copy {0}', undoInAgent);
  const only = vscode.l10n.t('Undo in Strata Only');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} carried out this compaction in its own session.', agent),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Type {0} in {1}: what the compaction took away is then in its context again, and the panel shows it. Undone in Strata only, {1} goes on without it.',
        ...[undoInAgent, agent],
      ),
    },
    ...[copy, only],
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(undoInAgent);
  return chosen === only;
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

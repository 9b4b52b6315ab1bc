import * as vscode from 'vscode';
import { runNumbers } from '../../engine/journal/runs';
import { planUndo, planUndoOfBlock, type UndoPlan } from '../../engine/journal/undo';
import { isUndoneByAgent } from '../../inside/undo';
import type { Inspection } from '../../inspection/inspection';
import { agentNames } from '../../sessions/session';
import { isConfirmed } from '../dialogs';
import type { Inspector } from '../inspector';
import { compactionsLabel } from '../view/session-view';

/** A run by its number, or a single block of a run; without either, the newest run. */
interface Undoable {
  readonly run?: number;
  readonly block?: number;
}

/**
 * Undoes a run or a block. Asks first if later ones on top of it would be undone too. A run that the agent carried out in
 * its own session must be undone there: the dialog names the command for it.
 */
export async function confirmUndo(inspector: Inspector, order: Undoable = {}): Promise<void> {
  const inspection = inspector.required();
  const plan = planOf(inspection, order);
  if (plan.kind === 'undoes' && isUndoneByAgent(inspection, plan.asked)) {
    if (!(await wantsJournalOnly(agentNames[inspection.session.agent]))) return;
  }
  if (plan.kind === 'undoes' && plan.alsoUndone.length > 0 && !(await confirmed(inspection, plan, order))) return;
  await inspector.change((inspection) =>
    order.block === undefined ? inspection.undo(order.run) : inspection.undoBlock(order.block),
  );
}

function planOf(inspection: Inspection, { run, block }: Undoable): UndoPlan {
  return block === undefined ? planUndo(inspection.state, run) : planUndoOfBlock(inspection.state, block);
}

/** The command in the agent. */
const undoInAgent = '/strata undo';

/** Whether the person wants the undo in Strata alone. The agent's own command undoes it in both places. */
async function wantsJournalOnly(agent: string): Promise<boolean> {
  const copy = vscode.l10n.t('Copy {0}', undoInAgent);
  const only = vscode.l10n.t('Undo in Strata Only');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} carried out this compaction in its own session.', agent),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Type {0} in {1}: the replaced messages are then in its context again, and the panel shows them. If you undo in Strata only, {1} continues without them.',
        ...[undoInAgent, agent],
      ),
    },
    ...[copy, only],
  );
  if (chosen === copy) await vscode.env.clipboard.writeText(undoInAgent);
  return chosen === only;
}

function confirmed(
  { state }: Inspection,
  { asked, alsoUndone }: Extract<UndoPlan, { kind: 'undoes' }>,
  { block }: Undoable,
): Promise<boolean> {
  const labelOf = (seqs: readonly number[]) =>
    block === undefined ? compactionsLabel(runNumbers(state, seqs)) : blocksLabel(seqs);
  const detail = vscode.l10n.t('It was replaced by {0}, which will be undone too.', labelOf(alsoUndone));
  return isConfirmed(vscode.l10n.t('Undo {0}?', labelOf(asked)), vscode.l10n.t('Undo All'), detail);
}

function blocksLabel(seqs: readonly number[]): string {
  const numbers = [...seqs].sort((a, b) => a - b).map((seq) => `#${seq}`);
  return numbers.length === 1
    ? vscode.l10n.t('block {0}', numbers.join())
    : vscode.l10n.t('blocks {0}', numbers.join(', '));
}

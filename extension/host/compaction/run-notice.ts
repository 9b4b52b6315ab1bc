import * as vscode from 'vscode';
import { calibratedLoss, lossText } from '../../engine/run/prepare/loss-text';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import { tokensText } from '../../engine/wording/tokens-text';
import { offer } from '../dialogs';
import { translated } from '../failures/failure-text';

/** Says in one line what a run saved, lost and cost: `24k → 9k tokens; all 3 messages of the person are kept word for word`. */
export function runLine(run: PreparedRun): string {
  const { before, after, loss, tokensSpent } = run;
  const lost = loss === null ? null : lossText(calibratedLoss(loss, after.tokens.calibration));
  const spent = tokensSpent.input + tokensSpent.output;
  return [
    vscode.l10n.t('{0} → {1} tokens', tokensText(before.tokens.total), tokensText(after.tokens.total)),
    lost === null ? '' : translated(lost),
    spent > 0 ? vscode.l10n.t('it cost {0} tokens', tokensText(spent)) : '',
  ]
    .filter((part) => part !== '')
    .join('; ');
}

interface RunNoticeActions {
  /** Undoes the run, by the seq of its first record. */
  readonly undo: (run: number) => unknown;
  readonly show: () => unknown;
}

/** Reports an automatic compaction, with Undo. `agentName`: the agent that uses it at its next compaction. */
export async function tellOfRun(
  run: PreparedRun,
  { undo, show }: RunNoticeActions,
  agentName: string | null = null,
): Promise<void> {
  const [first] = run.records;
  if (!first) return;
  const message =
    agentName === null
      ? vscode.l10n.t('Strata compacted the context: {0}.', runLine(run))
      : vscode.l10n.t(
          'Strata prepared a compaction for {0}, which uses it at its next compaction: {1}.',
          agentName,
          runLine(run),
        );
  await offer(message, { [vscode.l10n.t('Undo')]: () => undo(first.run), [vscode.l10n.t('Show')]: show });
}

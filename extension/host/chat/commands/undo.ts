import * as vscode from 'vscode';
import { runNumbers } from '../../../engine/journal/runs';
import { tokensText } from '../../../engine/wording/tokens-text';
import { OperationRefused } from '../../../inspection/inspection';
import { compactionsLabel } from '../../view/session-view';
import type { ChatCall } from '../chat-services';

/** `/undo [number]`: undoes the newest run, or the one with this number, together with later runs on top of it. */
export async function undoLast({ stream, chat }: ChatCall, argument: string): Promise<void> {
  const { workbench } = chat.conversation;
  const before = workbench.context.tokens.total;
  const undone = await workbench.undo(readSeq(argument));
  const after = workbench.context.tokens.total;
  const tokens = `${tokensText(before)} → ${tokensText(after)}`;
  stream.markdown(
    vscode.l10n.t('Undone: {0}. {1} tokens.', compactionsLabel(runNumbers(workbench.state, undone)), tokens),
  );
}

export async function redoLast({ stream, chat }: ChatCall): Promise<void> {
  const { workbench } = chat.conversation;
  const redone = await workbench.redo();
  const tokens = tokensText(workbench.context.tokens.total);
  stream.markdown(
    vscode.l10n.t('Redone: {0}. {1} tokens now.', compactionsLabel(runNumbers(workbench.state, redone)), tokens),
  );
}

function readSeq(argument: string): number | undefined {
  if (argument === '') return undefined;
  const seq = Number(argument.replace(/^#/, ''));
  if (Number.isInteger(seq)) return seq;
  throw new OperationRefused(vscode.l10n.t('Type /undo, or /undo followed by the number of a compaction.'));
}

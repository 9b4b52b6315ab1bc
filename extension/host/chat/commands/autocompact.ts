import * as vscode from 'vscode';
import { OperationRefused } from '../../../inspection/inspection';
import { toggleAutoCompact } from '../../compaction/auto-compact';
import { readSettings } from '../../settings';
import { autoCompactView } from '../../view/notices';
import { tokensText } from '../../view/tokens-text';
import type { ChatCall } from '../chat-services';

/** `/autocompact [on|off]`: without an argument it says how it is, and turns nothing. */
export async function setAutoCompact({ stream, chat }: ChatCall, argument: string): Promise<void> {
  const wanted = wantedState(argument);
  if (wanted !== null && wanted !== readSettings().automation.enabled) await toggleAutoCompact();
  const settings = { ...readSettings(), automationStopped: null };
  const { enabled, startsAt } = autoCompactView(chat.conversation.workbench, settings);
  if (!enabled) stream.markdown(vscode.l10n.t('Automatic compaction is off. Nothing is compacted unless you ask.'));
  else if (startsAt === null) stream.markdown(vscode.l10n.t('Automatic compaction is on.'));
  else stream.markdown(vscode.l10n.t('Automatic compaction is on; it starts at {0} tokens.', tokensText(startsAt)));
}

function wantedState(argument: string): boolean | null {
  switch (argument.toLowerCase()) {
    case '':
      return null;
    case 'on':
      return true;
    case 'off':
      return false;
    default:
      throw new OperationRefused(vscode.l10n.t('Say /autocompact on, or /autocompact off.'));
  }
}

import * as vscode from 'vscode';
import { tokensText } from '../../../engine/wording/tokens-text';
import { OperationRefused } from '../../../inspection/inspection';
import { autoCompactNumbers, selectAutoCompact } from '../../compaction/auto-compact-selector';
import { automationSetting, readSettings, writeSetting } from '../../settings';
import { autoCompactView } from '../../view/notices';
import type { ChatCall } from '../chat-services';

/** `/autocompact [on|off]`: without an argument, shows a selector. Then reports the current state in any case. */
export async function setAutoCompact({ stream, chat }: ChatCall, argument: string): Promise<void> {
  const { workbench } = chat.conversation;
  const wanted = wantedState(argument);
  if (wanted === null) await selectAutoCompact(workbench.contextWindow);
  else await writeSetting(automationSetting, wanted);
  const settings = { ...readSettings(), automationStopped: null };
  const { enabled, startsAt, schedule } = autoCompactView(workbench, settings);
  if (!enabled) stream.markdown(vscode.l10n.t('Automatic compaction is off. Nothing is compacted unless you ask.'));
  else if (schedule !== null) stream.markdown(`${vscode.l10n.t('Automatic compaction is on.')}\n\n${schedule.reason}`);
  else if (startsAt === null) stream.markdown(vscode.l10n.t('Automatic compaction is on.'));
  else stream.markdown(vscode.l10n.t('Automatic compaction is on; it starts at {0} tokens.', tokensText(startsAt)));
  const numbers = autoCompactNumbers(workbench.contextWindow, schedule !== null).map(
    ({ name, text }) => `- \`${name}\`: ${text}`,
  );
  stream.markdown(`\n\n${numbers.join('\n')}`);
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
      throw new OperationRefused(vscode.l10n.t('Type /autocompact on or /autocompact off.'));
  }
}

import * as vscode from 'vscode';
import { extensionId } from '../../sessions/strata/extension-id';
import { commandIds } from '../command-ids';
import { setUpText } from '../provider/set-up-text';

/** Message for a person without a language model. The rest of Strata works without one. */
export function tellHowToGetAModel(stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>): void {
  stream.markdown(setUpText());
  stream.button({ command: commandIds.chooseSummarizer, title: vscode.l10n.t('Choose a Model…') });
  stream.button({
    command: 'workbench.action.openWalkthrough',
    title: vscode.l10n.t('Show the Walkthrough'),
    arguments: [`${extensionId}#strata.start`, false],
  });
}

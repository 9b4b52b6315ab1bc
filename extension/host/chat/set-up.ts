import * as vscode from 'vscode';

/** What somebody without any language model is told. The rest of Strata works without one. */
export function tellHowToGetAModel(stream: Pick<vscode.ChatResponseStream, 'markdown' | 'button'>): void {
  stream.markdown(
    [
      vscode.l10n.t('There is no language model that could answer yet. Any of these will do:'),
      '',
      vscode.l10n.t('- a server of your own or a service that speaks OpenAI’s protocol: choose it below;'),
      vscode.l10n.t(
        '- a model of VS Code: install an extension that brings one, or sign in to one that you have, and pick it below the chat.',
      ),
      '',
      vscode.l10n.t(
        'Everything else of Strata works without a model: inspecting sessions, compacting, undoing, pinning.',
      ),
    ].join('\n'),
  );
  stream.button({ command: 'strata.chooseSummarizer', title: vscode.l10n.t('Choose a Model…') });
  stream.button({
    command: 'workbench.action.openWalkthrough',
    title: vscode.l10n.t('Show the Walkthrough'),
    arguments: ['strata.strata#strata.start', false],
  });
}

import * as vscode from 'vscode';

/** How to get a model, for a person who has none. The chat participant says the same. */
export function setUpText(): string {
  return [
    vscode.l10n.t('There is no language model yet that Strata could pass this on to. There are two ways to get one:'),
    `1. ${vscode.l10n.t('Run the command "Strata: Choose Summarizer…" and enter the address of an OpenAI-compatible server, for example one on this machine, and the name of a model. It is then in the model picker as "Strata: <model>".')}`,
    `2. ${vscode.l10n.t('Install an extension that brings language models to VS Code, or sign in to one. Each of its models is then in the model picker a second time, as "Strata: <name>".')}`,
    vscode.l10n.t('Everything else in Strata works without a model.'),
  ].join('\n\n');
}

export function setUpName(): string {
  return vscode.l10n.t('Strata: set up a model…');
}

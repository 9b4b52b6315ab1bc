import * as vscode from 'vscode';
import type { Gateway } from '../../gateway/gateway';
import { copiedText, placeText, type Setup, setupsFor } from './setups';

/** Asks for the agent and copies its setup lines to the clipboard. Opens lines for a file in an editor as well. */
export async function copySetup(gateway: Gateway): Promise<void> {
  const setup = await chooseSetup(gateway);
  if (setup === undefined) return;
  await vscode.env.clipboard.writeText(setup.text);
  if (setup.place.kind === 'file') await openText(setup.text);
  void vscode.window.showInformationMessage(copiedText(setup));
}

async function chooseSetup(gateway: Gateway): Promise<Setup | undefined> {
  const picks = setupsFor(gateway).map((setup) => ({ label: setup.name, description: placeText(setup), setup }));
  const title = vscode.l10n.t('Copy Gateway Setup');
  const placeHolder = vscode.l10n.t('Agent to set up. The lines hold the token of the gateway.');
  return (await vscode.window.showQuickPick(picks, { title, placeHolder }))?.setup;
}

async function openText(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'json', content });
  await vscode.window.showTextDocument(document, { preview: false });
}

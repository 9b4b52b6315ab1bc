import * as vscode from 'vscode';
import { settingsSection } from '../settings';

/** Whether the gateway and the Strata models also keep requests that are asked only once. */
export function keepsOneOffs(): boolean {
  return vscode.workspace.getConfiguration(settingsSection).get<boolean>('conversations.keepOneOffs', false);
}

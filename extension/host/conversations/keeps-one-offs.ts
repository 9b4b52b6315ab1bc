import * as vscode from 'vscode';
import { settingsSection } from '../settings';

/** Whether the gateway and the Strata models also keep what is asked once. */
export function keepsOneOffs(): boolean {
  return vscode.workspace.getConfiguration(settingsSection).get<boolean>('conversations.keepOneOffs', false);
}

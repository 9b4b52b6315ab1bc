import * as vscode from 'vscode';
import { planRedo } from '../engine/compaction/undo';
import type { Inspector } from './inspector';

/** Keeps the keys that menus and commands are enabled by: `strata.sessionOpen`, `strata.canUndo`, `strata.canRedo`. */
export function keepWhenContexts(inspector: Inspector): vscode.Disposable {
  const update = () => {
    const { inspection } = inspector;
    setContext('sessionOpen', inspection !== null);
    setContext('canUndo', inspection?.planUndo().kind === 'undoes');
    setContext('canRedo', inspection !== null && planRedo(inspection.journal.state).kind === 'redoes');
  };
  update();
  return vscode.Disposable.from(inspector.onDidOpen(update), inspector.onDidChange(update));
}

function setContext(name: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', `strata.${name}`, value);
}

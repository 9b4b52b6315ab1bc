import * as vscode from 'vscode';
import { planRedo, planUndo } from '../engine/journal/undo';
import type { Forks } from './compaction/forks';
import type { Inspector } from './inspector';
import { nothingToWrite, writingView } from './view/writing';

/** Updates the context keys that enable menus and commands: `strata.sessionOpen`, `strata.canUndo` and so on. */
export function updateWhenContexts(inspector: Inspector, forks: Forks): vscode.Disposable {
  const setContext = contextKeys();
  const update = () => {
    const { inspection } = inspector;
    setContext('sessionOpen', inspection !== null);
    setContext('canUndo', inspection !== null && planUndo(inspection.state).kind === 'undoes');
    setContext('canRedo', inspection !== null && planRedo(inspection.journal.state).kind === 'redoes');
    const writing = inspection === null ? nothingToWrite : writingView(inspection, forks);
    setContext('canFork', writing.fork);
    setContext('canCompactInPlace', writing.inPlace);
    setContext('canResume', writing.resume);
    setContext('isFork', writing.isFork);
  };
  const updateBusy = () => setContext('busy', inspector.busy !== null);
  update();
  updateBusy();
  return vscode.Disposable.from(
    inspector.onDidOpen(update),
    inspector.onDidChange(update),
    inspector.onDidChangeBusy(updateBusy),
  );
}

/** Sets a key only if it changed, because the session changes far more often than the keys. */
function contextKeys(): (name: string, value: boolean) => void {
  const current = new Map<string, boolean>();
  return (name, value) => {
    if (current.get(name) === value) return;
    current.set(name, value);
    void vscode.commands.executeCommand('setContext', `strata.${name}`, value);
  };
}

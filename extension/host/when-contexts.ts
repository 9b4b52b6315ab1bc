import * as vscode from 'vscode';
import { planRedo } from '../engine/journal/undo';
import type { Forks } from './compaction/forks';
import type { Inspector } from './inspector';
import { nothingToWrite, writingView } from './view/writing';

/** Keeps the keys that menus and commands are enabled by: `strata.sessionOpen`, `strata.canUndo` and so on. */
export function keepWhenContexts(inspector: Inspector, forks: Forks): vscode.Disposable {
  const setContext = contextKeys();
  const update = () => {
    const { inspection } = inspector;
    setContext('sessionOpen', inspection !== null);
    setContext('canUndo', inspection?.planUndo().kind === 'undoes');
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

/** The session changes with every line that is written, these keys seldom: an unchanged one is not told again. */
function contextKeys(): (name: string, value: boolean) => void {
  const told = new Map<string, boolean>();
  return (name, value) => {
    if (told.get(name) === value) return;
    told.set(name, value);
    void vscode.commands.executeCommand('setContext', `strata.${name}`, value);
  };
}

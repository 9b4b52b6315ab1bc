import * as vscode from 'vscode';
import { defaultLineUp } from '../../evaluation/measure/contenders/line-up';
import { quickTasks } from '../../evaluation/measure/default-settings';
import type { ContenderId } from '../../evaluation/measure/results';

/** The scope of an evaluation with a model. */
export interface ModelRunSize {
  readonly tasks: readonly string[];
  readonly contenders: readonly ContenderId[];
}

/** A summary without a core and one with a core: the two sides of docs/specification/policies.md, "Strategies compared". */
const pair: readonly ContenderId[] = [
  { strategy: 'checkpoint', core: 'none' },
  { strategy: 'protected-core', core: 'proposed' },
];

/** Null if the person cancels. */
export async function chooseSize(): Promise<ModelRunSize | null> {
  const placeHolder = vscode.l10n.t('Scope of the evaluation (the number of calls is shown before it starts)');
  const chosen = await vscode.window.showQuickPick(sizes(), { placeHolder });
  return chosen?.size ?? null;
}

function sizes() {
  const [first] = quickTasks;
  return [
    pick(vscode.l10n.t('A first look'), { tasks: [first], contenders: pair }),
    pick(vscode.l10n.t('With and without a core'), { tasks: quickTasks, contenders: pair }),
    pick(vscode.l10n.t('All default strategies'), { tasks: quickTasks, contenders: defaultLineUp }),
  ];
}

function pick(label: string, size: ModelRunSize): vscode.QuickPickItem & { readonly size: ModelRunSize } {
  const { tasks, contenders } = size;
  return { label, description: vscode.l10n.t('tasks: {0}, strategies: {1}', tasks.length, contenders.length), size };
}

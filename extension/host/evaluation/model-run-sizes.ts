import * as vscode from 'vscode';
import { defaultLineUp } from '../../evaluation/measure/contenders/line-up';
import type { ContenderId } from '../../evaluation/measure/results';
import { quickTasks } from '../../evaluation/measure/default-settings';

/** How much a model is asked about. */
export interface ModelRunSize {
  readonly tasks: readonly string[];
  readonly contenders: readonly ContenderId[];
}

/** A summary without a core and one with a core: the two sides of docs/specification.md, "Strategies compared". */
const pair: readonly ContenderId[] = [
  { strategy: 'checkpoint', core: 'none' },
  { strategy: 'protected-core', core: 'proposed' },
];

/** Null where the person does not want it after all. */
export async function chooseSize(): Promise<ModelRunSize | null> {
  const placeHolder = vscode.l10n.t('What the model is asked about; the number of calls is told before it starts');
  const chosen = await vscode.window.showQuickPick(sizes(), { placeHolder });
  return chosen?.size ?? null;
}

function sizes() {
  const [first] = quickTasks;
  return [
    pick(vscode.l10n.t('A first look'), { tasks: [first], contenders: pair }),
    pick(vscode.l10n.t('With and without a core'), { tasks: quickTasks, contenders: pair }),
    pick(vscode.l10n.t('All usual strategies'), { tasks: quickTasks, contenders: defaultLineUp }),
  ];
}

function pick(label: string, size: ModelRunSize): vscode.QuickPickItem & { readonly size: ModelRunSize } {
  const { tasks, contenders } = size;
  return { label, description: vscode.l10n.t('tasks: {0}, strategies: {1}', tasks.length, contenders.length), size };
}

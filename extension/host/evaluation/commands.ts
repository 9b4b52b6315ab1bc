import * as vscode from 'vscode';
import { evaluateCommandId } from '../command-ids';
import { tellingFailures } from '../failures/telling-failures';
import type { Placements } from '../panel/placements';
import type { Evaluations } from './evaluations';

interface EvaluationCommandServices {
  readonly evaluations: Evaluations;
  readonly placements: Placements;
  readonly log: vscode.LogOutputChannel;
}

interface Choice {
  /** Argument of the command, for key bindings and links. */
  readonly name: 'dashboard' | 'quick' | 'sessions' | 'model';
  readonly label: string;
  readonly begin: () => Promise<void>;
}

export function registerEvaluationCommands(services: EvaluationCommandServices): vscode.Disposable {
  const id = evaluateCommandId;
  return vscode.commands.registerCommand(id, (argument?: unknown) =>
    tellingFailures(services.log, id, async () => {
      const choices = choicesOf(services);
      const chosen = choices.find(({ name }) => name === argument) ?? (await vscode.window.showQuickPick(choices));
      await chosen?.begin();
    }),
  );
}

function choicesOf({ evaluations, placements }: EvaluationCommandServices): readonly Choice[] {
  return [
    {
      name: 'dashboard',
      label: vscode.l10n.t('Open the dashboard'),
      begin: () => placements.tell('show', { what: 'evaluate' }),
    },
    {
      name: 'quick',
      label: vscode.l10n.t('Quick run'),
      async begin() {
        await placements.tell('show', { what: 'evaluate-tasks' });
        await evaluations.runQuick('notification');
      },
    },
    {
      name: 'sessions',
      label: vscode.l10n.t('On my sessions…'),
      async begin() {
        await placements.tell('show', { what: 'evaluate-sessions' }, true);
        await evaluations.runSessions('notification');
      },
    },
    {
      name: 'model',
      label: vscode.l10n.t('With a model…'),
      async begin() {
        await placements.tell('show', { what: 'evaluate-tasks' }, true);
        await evaluations.runWithModel('notification');
      },
    },
  ];
}

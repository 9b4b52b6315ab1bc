import * as vscode from 'vscode';
import { tellingFailures } from '../failures/telling-failures';
import type { Placements } from '../panel/placements';
import { evaluationCommandIds as ids } from './command-ids';
import type { Evaluations } from './evaluations';

export interface EvaluationCommandServices {
  readonly evaluations: Evaluations;
  readonly placements: Placements;
  readonly log: vscode.LogOutputChannel;
}

export function registerEvaluationCommands({
  evaluations,
  placements,
  log,
}: EvaluationCommandServices): vscode.Disposable {
  const handlers: Readonly<Record<(typeof ids)[keyof typeof ids], () => Promise<void>>> = {
    [ids.open]: () => placements.tell('show', { what: 'evaluate' }),
    [ids.quick]: async () => {
      await placements.tell('show', { what: 'evaluate-tasks' });
      await evaluations.runQuick('notification');
    },
    [ids.sessions]: async () => {
      await placements.tell('show', { what: 'evaluate-sessions' }, true);
      await evaluations.runSessions('notification');
    },
    [ids.withModel]: async () => {
      await placements.tell('show', { what: 'evaluate-tasks' }, true);
      await evaluations.runWithModel('notification');
    },
  };
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) =>
      vscode.commands.registerCommand(id, () => tellingFailures(log, id, handler)),
    ),
  );
}

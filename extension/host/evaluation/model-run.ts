import * as vscode from 'vscode';
import type { LanguageModel } from '../../engine/block/language-model';
import { defaultLineUp } from '../../evaluation/measure/contenders/line-up';
import { quickTasks } from '../../evaluation/measure/default-settings';
import type { ContenderId } from '../../evaluation/measure/results';
import type { RunOutcome } from '../../evaluation/run-evaluation';
import type { EvaluationStart, ModelStart, PlannedCalls } from '../../evaluation/threads/evaluate-here';
import { answerModelQuestion } from '../../evaluation/threads/model-proxy';
import { workInThread } from '../../evaluation/threads/work-in-thread';
import { OperationRefused } from '../../inspection/inspection';
import { cancellationBy } from '../cancellation';
import { isConfirmed } from '../dialogs';
import type { EvaluationWork } from './running';
import type { EvaluationServices } from './services';

export type PreparedModelRun = Pick<EvaluationWork<RunOutcome>, 'label' | 'work'>;

/**
 * Prepares a run with a model. It is played in a thread, but the model is called in this one, because only this thread can call VS Code's
 * models. Null if the person cancels.
 */
export async function prepareModelRun(
  path: string,
  { models, programs, madeWith }: Pick<EvaluationServices, 'models' | 'programs' | 'madeWith'>,
): Promise<PreparedModelRun | null> {
  const { model, maxPromptTokens } = await chosenModel(models);
  const size = await chooseSize();
  if (size === null) return null;
  const { name, concurrency } = model;
  const identity = { name, model: model.model, concurrency };
  const order: Omit<ModelStart, 'what'> = { path, madeWith, ...size, model: identity, maxPromptTokens };
  if (!(await isWanted(model, await plannedCalls(programs.evaluating, order)))) return null;
  return {
    label: vscode.l10n.t('Evaluating with {0}', model.model),
    work: (signal, onProgress) =>
      workInThread<EvaluationStart, RunOutcome>(
        programs.evaluating,
        { what: 'model', ...order },
        {
          ...{ signal, onProgress },
          onQuestion: (question, _onText, settled) =>
            answerModelQuestion(model, question, AbortSignal.any([signal, settled])),
        },
      ),
  };
}

async function chosenModel(models: EvaluationServices['models']): Promise<{
  readonly model: LanguageModel;
  readonly maxPromptTokens: number;
}> {
  const outcome = await models.toolsFor('manual');
  if (outcome.kind === 'refused') throw new OperationRefused(outcome.message);
  const { tools, maxPromptTokens } = outcome;
  if (tools.model === null || maxPromptTokens === null) {
    throw new OperationRefused(vscode.l10n.t('No model is chosen. Run "Strata: Choose Summarizer…" first.'));
  }
  return { model: tools.model, maxPromptTokens };
}

/** Counts the calls in a thread, by playing the tasks. */
async function plannedCalls(program: string, order: Omit<ModelStart, 'what'>): Promise<PlannedCalls> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    cancellable: true,
    title: vscode.l10n.t('Counting the model calls'),
  };
  return await vscode.window.withProgress(options, async (_, token) => {
    using cancellation = cancellationBy(
      token,
      () => new OperationRefused(vscode.l10n.t('The evaluation was not started.')),
    );
    const start: EvaluationStart = { what: 'calls', ...order };
    return await workInThread<EvaluationStart, PlannedCalls>(program, start, { signal: cancellation.signal });
  });
}

function isWanted({ model }: LanguageModel, { calls, done, replaces }: PlannedCalls): Promise<boolean> {
  const detail = [
    vscode.l10n.t('The model answers the questions and rates the actions that it proposed. Summaries need more calls.'),
    vscode.l10n.t('It receives the text of tasks that come with Strata, and nothing from your sessions.'),
    ...(done > 0 ? [vscode.l10n.t('The stopped run is continued: {0} units are finished.', done)] : []),
    ...(replaces ? [vscode.l10n.t('The earlier results with a model are replaced.')] : []),
  ].join(' ');
  const question = vscode.l10n.t('Ask {0} at least {1} times?', model, calls.toLocaleString());
  return isConfirmed(question, vscode.l10n.t('Start'), detail);
}

/** The scope of an evaluation with a model. */
interface ModelRunSize {
  readonly tasks: readonly string[];
  readonly contenders: readonly ContenderId[];
}

/** A summary without a core and one with a core: the two sides of docs/specification/policies.md, "Strategies compared". */
const pair: readonly ContenderId[] = [
  { strategy: 'checkpoint', core: 'none' },
  { strategy: 'protected-core', core: 'proposed' },
];

/** Null if the person cancels. */
async function chooseSize(): Promise<ModelRunSize | null> {
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

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { rebuiltText } from '../../engine/wording/localizable-text';
import { playerNames } from '../../evaluation/default-run';
import { defaultSettings, namedTasks, quickTasks } from '../../evaluation/measure/default-settings';
import type { EvaluationResults } from '../../evaluation/measure/evaluation-results';
import { reportOf } from '../../evaluation/measure/make-report';
import type { EvaluationReport } from '../../evaluation/measure/report';
import { reportMarkdown, verdictSentence } from '../../evaluation/measure/report-text';
import {
  contenderKey,
  type EvaluationSettings,
  type HeaderLine,
  resultsVersion,
} from '../../evaluation/measure/results';
import { libraryTasks } from '../../evaluation/measure/tasks/library';
import type { Task } from '../../evaluation/measure/tasks/task';
import { unitsOf } from '../../evaluation/measure/units';
import { fileNames, writeReports } from '../../evaluation/outputs';
import { type Players, playHere } from '../../evaluation/play-here';
import { loadResults } from '../../evaluation/results-file';
import {
  type EvaluationProgress,
  type EvaluationRun,
  type RunOutcome,
  runEvaluation,
} from '../../evaluation/run-evaluation';
import { readTaskFiles } from '../../evaluation/task-files';
import { TokenBudget } from '../../evaluation/token-budget';
import { CommandFailed } from '../command-failed';
import { interruptSignal } from '../interrupt';
import { print, printJson, warn } from '../output';
import { strataVersion } from '../version';
import { pageFolder, playingThreads } from './bundle';
import { explained } from './explained';
import { type EvaluateOptions, refuseWithQueue } from './options';
import { outFolder } from './out-folder';
import { playersFrom } from './players';
import { type ProgressLine, progressLine } from './progress';
import { benchmark, replay } from './replay';

/** Plays the tasks with every contender and reports what survived, or replays real sessions with `--sessions`. */
export async function evaluate(options: EvaluateOptions): Promise<void> {
  refuseWithQueue(options);
  if (options.benchmark !== undefined) return await benchmark(options.benchmark, options);
  if (options.sessions !== undefined) return await replay(options.sessions, options);
  const folder = await outFolder(options.out);
  const tasks = await chosenTasks(options);
  const budget = options.budgetTokens === undefined ? null : new TokenBudget(options.budgetTokens);
  const players = playersFrom(options, budget);
  const header = headerOf(options, tasks, players);
  const path = join(folder, fileNames.results);
  const outcome = await explained(() => play({ header, path, tasks, players, options, budget }));
  tell(outcome, path, budget);
  const results = await explained(() => loadResults(path));
  await report(results, folder, options);
  if (outcome.failed.length > 0) throw new CommandFailed(incomplete(outcome));
}

/** Writes the report in every format and prints it. */
export async function report(
  results: EvaluationResults,
  folder: string,
  { json }: Pick<EvaluateOptions, 'json'>,
): Promise<void> {
  const made = reportOf(results);
  await writeReports(folder, results, made, pageFolder);
  if (json) printJson(made);
  else print(`${reportMarkdown(made)}\nDashboard: ${join(folder, fileNames.dashboard)}${closing(made)}`);
}

/** The last line of output, which stays visible. */
function closing({ verdict }: EvaluationReport): string {
  return verdict === null ? '' : `\n${verdictSentence(verdict)}`;
}

async function chosenTasks({ taskFiles, tasks: names, quick }: EvaluateOptions): Promise<Task[]> {
  const all = await explained(async () => (taskFiles === undefined ? libraryTasks() : readTaskFiles(taskFiles)));
  const wanted = names ?? (quick && taskFiles === undefined ? quickTasks : null);
  if (wanted === null) return all;
  return wanted.map((name) => {
    const task = all.find((candidate) => candidate.name === name);
    if (task) return task;
    throw new CommandFailed(`there is no task "${name}"; tasks: ${all.map((each) => each.name).join(', ')}`, true);
  });
}

function headerOf(options: EvaluateOptions, tasks: readonly Task[], players: Players): HeaderLine {
  const { contenders, seeds, probeAfter, everyTokens, everyTurns, window, target, verification } = options;
  const settings: EvaluationSettings = {
    tasks: namedTasks(tasks),
    seeds: Array.from({ length: options.quick ? defaultSettings.seeds.length : seeds }, (_, index) => index + 1),
    contenders,
    probedAfter: probeAfter,
    every: everyTurns === undefined ? { kind: 'tokens', count: everyTokens } : { kind: 'turns', count: everyTurns },
    window,
    ...(target === undefined ? {} : { target }),
    verification,
    ...playerNames(players),
  };
  return {
    kind: 'header',
    version: resultsVersion,
    madeWith: { strata: strataVersion, node: process.version },
    time: new Date().toISOString(),
    settings,
    units: unitsOf(settings).length,
    shard: options.shard ?? null,
  };
}

interface Playing {
  readonly header: HeaderLine;
  readonly path: string;
  readonly tasks: readonly Task[];
  readonly players: Players;
  readonly options: EvaluateOptions;
  readonly budget: TokenBudget | null;
}

/** On a queue, or here: in threads if no model is called, because the processor is then the bottleneck. */
async function play({ header, path, tasks, players, options, budget }: Playing): Promise<RunOutcome> {
  const { settings } = header;
  const signal = interruptSignal();
  const line = progressLine(process.stderr);
  const { contexts: keepsContexts } = options;
  const onProgress = showUnit(line);
  if (options.queue !== undefined) {
    const run = { kind: 'tasks' as const, header, tasks, keepsContexts };
    // The queue's engine is loaded only where it is used.
    const { evaluateOnQueue } = await import('./queue/queued-evaluation');
    const evaluation = { path, run, signal, onProgress, onNotice: warn };
    return await evaluateOnQueue(options.queue, evaluation).finally(line.end);
  }
  const run = {
    header,
    path,
    keepsContexts,
    signal,
    onProgress,
    ...(budget ? { budget } : {}),
  } satisfies Partial<EvaluationRun>;
  try {
    const { model } = players.writing;
    if (model !== null) {
      // Units that are played together share the budget, so it could run out before any of them is finished.
      const concurrency = budget === null ? (options.jobs ?? model.concurrency) : 1;
      return await runEvaluation({ ...run, play: playHere(tasks, settings, players), concurrency });
    }
    const threads = playingThreads({ tasks, settings });
    const concurrency = options.jobs ?? availableParallelism();
    return await runEvaluation({ ...run, play: threads.play, concurrency }).finally(() => threads.dispose());
  } finally {
    line.end();
  }
}

function showUnit(line: ProgressLine): (progress: EvaluationProgress) => void {
  return ({ done, of, unit }) =>
    line.show(done, of, unit ? `${unit.task} with ${contenderKey(unit.contender)}` : 'units');
}

function tell(
  { wasTorn, failed, endedByBudget, done, of }: RunOutcome,
  path: string,
  budget: TokenBudget | null,
): void {
  if (wasTorn) warn(`${path}: the last line of an earlier run was incomplete and was dropped.`);
  for (const failure of failed) warn(String(rebuiltText(failure)));
  if (budget !== null) warn(`${budget.spent} tokens were spent of a budget of ${budget.tokens}.`);
  if (endedByBudget && budget?.played === 0) {
    warn(`the budget ended the run within its first unit: ${done} of ${of} units were played; a larger one is needed`);
  } else if (endedByBudget) warn(`the budget ended the run: ${incomplete({ done, of })}`);
}

function incomplete({ done, of }: Pick<RunOutcome, 'done' | 'of'>): string {
  return `${done} of ${of} units were played; run the same command again for the rest`;
}

import { availableParallelism } from 'node:os';
import { modelSummarizer } from '../../summarizers/model/model-summarizer';
import { toolsWithoutModel } from '../../summarizers/without-model';
import { minimumCalls } from '../count-calls';
import { defaultHeader, type MadeWith, playerNames, tasksNamed } from '../default-run';
import { modelJudge } from '../measure/probes/judge';
import { modelRespondent } from '../measure/probes/model-respondent';
import { reader } from '../measure/probes/reader';
import { type ContenderId, contenderKey, type HeaderLine } from '../measure/results';
import type { Task } from '../measure/tasks/task';
import { type Players, playHere } from '../play-here';
import { findEarlierResults, setAside } from '../results-file';
import { type EvaluationProgress, type PlayUnit, type RunOutcome, runEvaluation } from '../run-evaluation';
import type { Work, WorkProgress } from './messages';
import { type ModelIdentity, modelProxy } from './model-proxy';
import { PlayingThreads } from './playing-threads';

/** The job of an evaluating thread. */
export type EvaluationStart = QuickStart | ModelStart;

interface QuickStart {
  readonly what: 'quick';
  /** Results file. */
  readonly path: string;
  /** The built program of a playing thread; null to play in this thread. */
  readonly playingThread: string | null;
  readonly madeWith: MadeWith;
  /** Default: the tasks of the quick run. */
  readonly tasks?: readonly string[];
  readonly contenders?: readonly ContenderId[];
}

/** A run with a model, or an estimate of its calls. */
export interface ModelStart {
  /** `calls`: estimates only. The model is not called and nothing is written. */
  readonly what: 'model' | 'calls';
  readonly path: string;
  readonly madeWith: MadeWith;
  readonly tasks: readonly string[];
  readonly contenders: readonly ContenderId[];
  readonly model: ModelIdentity;
  readonly maxPromptTokens: number;
}

export interface PlannedCalls {
  /** Minimum number of model calls. */
  readonly calls: number;
  /** Units that an earlier run with the same settings finished. */
  readonly done: number;
  /** The run would set other results aside. */
  readonly replaces: boolean;
}

export async function evaluateHere(start: EvaluationStart, work: Work): Promise<RunOutcome | PlannedCalls> {
  switch (start.what) {
    case 'quick':
      return await quickRun(start, work);
    case 'model':
      return await modelRun(start, work);
    case 'calls':
      return await planCalls(start, work);
  }
}

async function quickRun(start: QuickStart, work: Work): Promise<RunOutcome> {
  const players: Players = { writing: toolsWithoutModel, respondent: reader, judge: null };
  const prepared = prepare(start, players);
  const { tasks, header } = prepared;
  const { settings } = header;
  if (start.playingThread === null) return await played(start, prepared, playHere(tasks, settings, players), 1, work);
  const threads = new PlayingThreads(start.playingThread, { tasks, settings });
  try {
    return await played(start, prepared, threads.play, availableParallelism(), work);
  } finally {
    await threads.dispose();
  }
}

async function modelRun(start: ModelStart, work: Work): Promise<RunOutcome> {
  const players = modelPlayers(start, work);
  const prepared = prepare(start, players);
  const play = playHere(prepared.tasks, prepared.header.settings, players);
  return await played(start, prepared, play, start.model.concurrency, work);
}

async function planCalls(start: ModelStart, work: Work): Promise<PlannedCalls> {
  const { tasks, header } = prepare(start, modelPlayers(start, work));
  const found = await findEarlierResults(start.path, header);
  const done = found.kind === 'begun' ? found.done : new Set<string>();
  const calls = await minimumCalls(tasks, header, done, work.signal);
  return { calls, done: done.size, replaces: found.kind === 'complete' || found.kind === 'unusable' };
}

/** The model summarizes, answers and rates. Embeddings are computed on this machine, so that runs are comparable. */
function modelPlayers({ model: identity, maxPromptTokens }: ModelStart, { ask }: Work): Players {
  const model = modelProxy(identity, ask);
  const summarizer = modelSummarizer(model, { maxPromptTokens });
  const writing = { ...toolsWithoutModel, model, summarizer };
  return { writing, respondent: modelRespondent(model), judge: modelJudge(model) };
}

interface Prepared {
  readonly tasks: readonly Task[];
  readonly header: HeaderLine;
}

function prepare({ tasks: names, contenders, madeWith }: EvaluationStart, players: Players): Prepared {
  const tasks = tasksNamed(names);
  const time = new Date().toISOString();
  const run = { tasks, players: playerNames(players), madeWith, time };
  return { tasks, header: defaultHeader(contenders ? { ...run, contenders } : run) };
}

async function played(
  { path }: EvaluationStart,
  { header }: Prepared,
  play: PlayUnit,
  concurrency: number,
  { signal, onProgress }: Work,
): Promise<RunOutcome> {
  await setAside(path, await findEarlierResults(path, header));
  return await runEvaluation({
    ...{ header, path, play, keepsContexts: true, concurrency, signal },
    onProgress: (progress) => onProgress(workProgress(progress)),
  });
}

function workProgress({ done, of, unit }: EvaluationProgress): WorkProgress {
  return { done, of, subject: unit ? `${unit.task}, ${contenderKey(unit.contender)}` : '' };
}

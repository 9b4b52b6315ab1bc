import { type ContenderId, type EvaluationSettings, type HeaderLine, resultsVersion } from './measure/results';
import { libraryTasks } from './measure/tasks/library';
import type { Task } from './measure/tasks/task';
import { unitsOf } from './measure/units';
import { namedTasks, quickTasks, usualSettings } from './measure/usual-settings';
import type { Players } from './play-here';

export type MadeWith = HeaderLine['madeWith'];

/** The tasks of the quick run, or these of the library. Throws `RangeError` for a name that no task has. */
export function tasksNamed(names: readonly string[] = quickTasks): Task[] {
  const library = libraryTasks();
  return names.map((name) => {
    const task = library.find((each) => each.name === name);
    if (!task) throw new RangeError(`There is no task named "${name}".`);
    return task;
  });
}

/** Who plays, answers and rates, by name. */
export type PlayerNames = Pick<EvaluationSettings, 'respondent' | 'summarizer' | 'judge' | 'embedder'>;

export function playerNames({ writing, respondent, judge }: Players): PlayerNames {
  return {
    respondent: respondent.id,
    summarizer: { name: writing.summarizer.name, model: writing.summarizer.model },
    judge: judge?.name ?? null,
    embedder: writing.embedder.name,
  };
}

export interface UsualRun {
  readonly tasks: readonly Task[];
  readonly players: PlayerNames;
  readonly madeWith: MadeWith;
  /** ISO 8601. */
  readonly time: string;
  readonly contenders?: readonly ContenderId[];
}

/** The first line of a run with the usual settings. */
export function usualHeader({ tasks, players, madeWith, time, contenders }: UsualRun): HeaderLine {
  const settings: EvaluationSettings = {
    ...usualSettings,
    ...(contenders ? { contenders } : {}),
    ...players,
    tasks: namedTasks(tasks),
  };
  const units = unitsOf(settings).length;
  return { kind: 'header', version: resultsVersion, madeWith, time, settings, units, shard: null };
}

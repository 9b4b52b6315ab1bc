import { defaultSettings, namedTasks, quickTasks } from './measure/default-settings';
import { type ContenderId, type EvaluationSettings, type HeaderLine, resultsVersion } from './measure/results';
import { libraryTasks } from './measure/tasks/library';
import type { Task } from './measure/tasks/task';
import { unitsOf } from './measure/units';
import type { Players } from './play-here';

export type MadeWith = HeaderLine['madeWith'];

/** The library tasks with these names. Default: those of the quick run. Throws `RangeError` for an unknown name. */
export function tasksNamed(names: readonly string[] = quickTasks): Task[] {
  const library = libraryTasks();
  return names.map((name) => {
    const task = library.find((each) => each.name === name);
    if (!task) throw new RangeError(`There is no task named "${name}".`);
    return task;
  });
}

type PlayerNames = Pick<EvaluationSettings, 'respondent' | 'summarizer' | 'judge' | 'embedder'>;

export function playerNames({ writing, respondent, judge }: Players): PlayerNames {
  return {
    respondent: respondent.id,
    summarizer: { name: writing.summarizer.name, model: writing.summarizer.model },
    judge: judge?.name ?? null,
    embedder: writing.embedder.name,
  };
}

interface DefaultRun {
  readonly tasks: readonly Task[];
  readonly players: PlayerNames;
  readonly madeWith: MadeWith;
  /** ISO 8601. */
  readonly time: string;
  readonly contenders?: readonly ContenderId[];
}

export function defaultHeader({ tasks, players, madeWith, time, contenders }: DefaultRun): HeaderLine {
  const settings: EvaluationSettings = {
    ...defaultSettings,
    ...(contenders ? { contenders } : {}),
    ...players,
    tasks: namedTasks(tasks),
  };
  const units = unitsOf(settings).length;
  return { kind: 'header', version: resultsVersion, madeWith, time, settings, units, shard: null };
}

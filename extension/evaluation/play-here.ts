import { TokenLedger } from '../engine/conversation/tokens';
import { type PlayTools, playUnit } from './measure/play';
import type { EvaluationSettings } from './measure/results';
import type { Task } from './measure/tasks/task';
import type { PlayUnit } from './run-evaluation';

export type Players = Pick<PlayTools, 'writing' | 'respondent' | 'judge' | 'contenderOf'>;

/** Plays units in this thread. Each unit has its own token ledger, so that its cached counts are freed afterwards. */
export function playHere(tasks: readonly Task[], settings: EvaluationSettings, players: Players): PlayUnit {
  const byName = new Map(tasks.map((task) => [task.name, task]));
  return async (unit, signal) => {
    const task = byName.get(unit.task);
    if (!task) throw new RangeError(`There is no task named "${unit.task}".`);
    const tools: PlayTools = {
      ...players,
      embedder: players.writing.embedder,
      ledger: new TokenLedger((await import('../engine/conversation/tokenizer')).countWithO200k),
      verification: settings.verification,
      window: settings.window,
      target: settings.target,
      clock: () => performance.now(),
    };
    return await playUnit(unit, task, settings, tools, signal);
  };
}

import { nothingSpent } from '../engine/asking/ask-model';
import { toolsWithoutModel } from '../summarizers/without-model';
import { type Respondent, unusableAnswers } from './measure/probes/respondent';
import { type HeaderLine, unitKey } from './measure/results';
import type { Task } from './measure/tasks/task';
import { unitsOf } from './measure/units';
import { playHere } from './play-here';

/**
 * Minimum number of model calls for the remaining units: one per probed context, plus one rating per action if a judge is set.
 * Summaries and retries come on top. Each task is played once without compaction to count its probes, because every
 * contender gets the same ones.
 */
export async function minimumCalls(
  tasks: readonly Task[],
  { settings }: Pick<HeaderLine, 'settings'>,
  done: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<number> {
  const left = unitsOf(settings).filter((unit) => !done.has(unitKey(unit)));
  const asked = new Map<string, number>();
  let calls = 0;
  for (const { task, seed } of left) {
    const key = `${task} ${seed}`;
    const known = asked.get(key) ?? (await callsOf(tasks, { settings }, { task, seed }, signal));
    asked.set(key, known);
    calls += known;
  }
  return calls;
}

async function callsOf(
  tasks: readonly Task[],
  { settings }: Pick<HeaderLine, 'settings'>,
  { task, seed }: { readonly task: string; readonly seed: number },
  signal: AbortSignal,
): Promise<number> {
  const count = { calls: 0, actions: 0 };
  const players = { writing: toolsWithoutModel, respondent: countingRespondent(count), judge: null };
  const bare = { strategy: 'no-compaction', core: 'none' } as const;
  await playHere(tasks, settings, players)({ task, seed, contender: bare }, signal);
  return count.calls + (settings.judge === null ? 0 : count.actions);
}

/** Counts the calls and gives no usable answer. */
function countingRespondent(count: { calls: number; actions: number }): Respondent {
  const nothing = { kind: 'unusable', reason: 'Only counted.', text: '', spent: nothingSpent } as const;
  return {
    id: { kind: 'reader', name: 'counter' },
    answer: async (_, actions) => {
      count.calls += 1;
      count.actions += actions.length;
      return unusableAnswers(nothing, actions.length);
    },
  };
}

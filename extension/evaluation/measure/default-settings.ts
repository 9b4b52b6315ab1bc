import { portableSha256 } from '../../engine/conversation/sha256';
import { defaultLineUp } from './contenders/line-up';
import type { EvaluationSettings } from './results';
import type { Task } from './tasks/task';

export const defaultSettings = {
  seeds: [1],
  contenders: defaultLineUp,
  /** The first compactions, and a later one to see how effects add up. */
  probedAfter: [1, 2, 3, 5],
  every: { kind: 'tokens', count: 8_000 },
  window: 16_000,
  verification: 'report',
} as const satisfies Partial<EvaluationSettings>;

/** Tasks of the quick run: six kinds, and as many tasks as a verdict needs (`minClusters`). */
export const quickTasks = [
  'queue-recommendation',
  'billing-database-migration',
  'search-latency-refactor',
  'checkout-incident',
  'conference-planning',
  'churn-analysis',
] as const;

/** Changes with every character of the task. */
function digestOf(task: Task): string {
  return portableSha256(JSON.stringify(task)).slice(0, 16);
}

export function namedTasks(tasks: readonly Task[]): EvaluationSettings['tasks'] {
  return tasks.map((task) => ({ name: task.name, digest: digestOf(task) }));
}

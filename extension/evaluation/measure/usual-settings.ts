import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { usualLineUp } from './contenders/line-up';
import type { EvaluationSettings } from './results';
import type { Task } from './tasks/task';

/** What a run is made with where nobody says anything else. */
export const usualSettings = {
  seeds: [1],
  contenders: usualLineUp,
  /** As the field measures it: the first compactions, and one that has others behind it. */
  probedAfter: [1, 2, 3, 5],
  every: { kind: 'tokens', count: 8_000 },
  window: 16_000,
  verification: 'report',
} as const satisfies Partial<EvaluationSettings>;

/** Tasks of the quick run: of six kinds, and as many as an interval needs to say anything. */
export const quickTasks = [
  'queue-recommendation',
  'billing-database-migration',
  'search-latency-refactor',
  'checkout-incident',
  'conference-planning',
  'churn-analysis',
] as const;

/** A task with one letter changed is another task. */
export function digestOf(task: Task): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(task)))).slice(0, 16);
}

export function namedTasks(tasks: readonly Task[]): EvaluationSettings['tasks'] {
  return tasks.map((task) => ({ name: task.name, digest: digestOf(task) }));
}

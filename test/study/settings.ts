import { quickTasks } from '../../extension/evaluation/measure/default-settings';
import type { EvaluationSettings } from '../../extension/evaluation/measure/results';

/** The settings that are the same for every contender of the study. */
export const studySettings = {
  seeds: [1],
  /** After the first compaction, and after two more. */
  probedAfter: [1, 3],
  asksBefore: 'first',
  actionsAsked: 3,
  every: { kind: 'tokens', count: 10_000 },
  window: 16_000,
  target: 3_200,
  verification: 'report',
} as const satisfies Partial<EvaluationSettings>;

/** The tasks of the quick run. They were chosen before any model was asked: one of each of six kinds. */
export const studyTasks = quickTasks;

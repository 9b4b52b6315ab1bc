import type { SettledList } from '../tasks/task';

interface RecallProbe {
  /** Its field in the answer and in the results. Its metric is `<name>-recall`. */
  readonly name: string;
  readonly question: string;
  /** The lists of the task whose items the answer should name. */
  readonly truth: readonly SettledList[];
}

/** Probes that ask a model for a list and measure how much of the truth it names. A reader is not asked. */
export const recallProbes = [
  {
    name: 'settled',
    question: 'What is finished or decided and must not be begun again, and what was tried and abandoned?',
    truth: ['finished', 'deadEnds'],
  },
] as const satisfies readonly RecallProbe[];

export type RecallName = (typeof recallProbes)[number]['name'];

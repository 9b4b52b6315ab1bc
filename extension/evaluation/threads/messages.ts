import type { EvaluationSettings, UnitId, UnitLine } from '../measure/results';
import type { Task } from '../measure/tasks/task';

/** Worker data of a playing thread. */
export interface ThreadStart {
  readonly tasks: readonly Task[];
  readonly settings: EvaluationSettings;
}

export interface PlayRequest {
  readonly unit: UnitId;
}

export type PlayReply =
  | { readonly kind: 'played'; readonly line: UnitLine; readonly texts: readonly (readonly [string, string])[] }
  | { readonly kind: 'failed'; readonly message: string };

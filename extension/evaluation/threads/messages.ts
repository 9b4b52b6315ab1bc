import type { ThreadContract } from '../../platform/threads/messages';
import type { ServedRequest } from '../../platform/threads/serve-owner';
import type { PlayedUnit } from '../measure/play';
import type { EvaluationSettings, UnitId } from '../measure/results';
import type { Task } from '../measure/tasks/task';

export interface WorkProgress {
  readonly done: number;
  readonly of: number;
  /** The item being worked on, as its files name it; empty before the first. */
  readonly subject: string;
}

/** A thread that carries out one piece of work. */
export interface WorkContract<Start, Result> extends ThreadContract {
  readonly requests: { readonly work: { params: Start; result: Result } };
  readonly progress: WorkProgress;
}

/** The signal, progress and questions of a piece of work. */
export type Work = ServedRequest<WorkContract<unknown, unknown>>;

/** A thread that plays units, one after the other. */
export interface PlayingContract extends ThreadContract {
  readonly requests: { readonly play: { params: UnitId; result: PlayedUnit } };
}

export interface PlayingStart {
  readonly tasks: readonly Task[];
  readonly settings: EvaluationSettings;
}

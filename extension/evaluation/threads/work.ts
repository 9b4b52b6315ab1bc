/** Messages between a thread that does one piece of work and its owner. */
export interface WorkProgress {
  readonly done: number;
  readonly of: number;
  /** The item being worked on, as its files name it; empty before the first. */
  readonly subject: string;
}

export type WorkReply<Result> =
  | { readonly kind: 'progress'; readonly progress: WorkProgress }
  /** Something that only the owner can answer. */
  | { readonly kind: 'question'; readonly id: number; readonly question: unknown }
  | { readonly kind: 'done'; readonly result: Result }
  | ({ readonly kind: 'failed' } & WorkFailure);

export type WorkOrder =
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

export interface WorkFailure {
  /** Name of the error's class. */
  readonly name: string;
  /** For a person. */
  readonly message: string;
  /** For a log. */
  readonly detail: string;
}

export function failureOf(error: unknown): WorkFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), detail: String(error) };
  return { name: error.name, message: error.message, detail: error.stack ?? error.message };
}

/** A failure that a thread reported; has the message of that failure. */
export class WorkFailed extends Error {
  override name = 'WorkFailed';

  constructor(readonly failure: WorkFailure) {
    super(failure.message);
    this.stack = failure.detail;
  }
}

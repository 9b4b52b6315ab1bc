/** What goes between a thread that does one piece of work and whoever started it. */
export interface WorkProgress {
  readonly done: number;
  readonly of: number;
  /** What is worked on, as it is named in its files; empty before the first. */
  readonly subject: string;
}

export type WorkReply<Result> =
  | { readonly kind: 'progress'; readonly progress: WorkProgress }
  /** Something that only the one who started it can find out. */
  | { readonly kind: 'question'; readonly id: number; readonly question: unknown }
  | { readonly kind: 'done'; readonly result: Result }
  | ({ readonly kind: 'failed' } & WorkFailure);

export type WorkOrder =
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown };

export interface WorkFailure {
  /** Of the error's class. */
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

/** What a thread reported as failed; its message is that of the failure. */
export class WorkFailed extends Error {
  override name = 'WorkFailed';

  constructor(readonly failure: WorkFailure) {
    super(failure.message);
    this.stack = failure.detail;
  }
}

import { LocalizableError, type PortableText, portableText, rebuiltText } from '../../engine/wording/localizable-text';

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
  readonly wording: PortableText;
  /** For a log. */
  readonly detail: string;
}

export function failureOf(error: unknown): WorkFailure {
  if (!(error instanceof Error))
    return { name: 'Error', wording: { text: String(error), values: [] }, detail: String(error) };
  const wording = error instanceof LocalizableError ? portableText(error.wording) : { text: error.message, values: [] };
  return { name: error.name, wording, detail: error.stack ?? error.message };
}

/** A failure that a thread reported; has the message of that failure. */
export class WorkFailed extends LocalizableError {
  override name = 'WorkFailed';

  constructor(readonly failure: WorkFailure) {
    super(rebuiltText(failure.wording));
    this.stack = failure.detail;
  }
}

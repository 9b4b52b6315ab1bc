import type { Failure } from './failure';

/** The requests of a thread's owner, the thread's reports meanwhile, and its questions to the owner. Both ends are typed by it. */
export interface ThreadContract {
  /** By method: `{ params, result }`. */
  readonly requests: object;
  /** Reported while a request is carried out. */
  readonly progress: unknown;
  /** A question that only the owner can answer. */
  readonly question: unknown;
  readonly answer: unknown;
}

export type MethodOf<C extends ThreadContract> = keyof C['requests'] & string;
export type ParamsOf<C extends ThreadContract, M extends MethodOf<C>> = C['requests'][M] extends { params: infer P }
  ? P
  : never;
export type ResultOf<C extends ThreadContract, M extends MethodOf<C>> = C['requests'][M] extends { result: infer R }
  ? R
  : never;

/** Requests and questions are numbered separately. */
export type ToThread =
  | { readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown }
  | { readonly kind: 'abort'; readonly id: number }
  /** Part of the text of an answer, before the answer. */
  | { readonly kind: 'text'; readonly question: number; readonly text: string }
  | { readonly kind: 'answer'; readonly question: number; readonly answer: unknown }
  | { readonly kind: 'unanswered'; readonly question: number; readonly failure: Failure };

/** `id` names the request. */
export type FromThread =
  | { readonly kind: 'progress'; readonly id: number; readonly progress: unknown }
  | { readonly kind: 'question'; readonly id: number; readonly question: number; readonly asked: unknown }
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly failure: Failure };

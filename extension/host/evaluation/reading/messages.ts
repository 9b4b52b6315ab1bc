import type { WorkFailure } from '../../../evaluation/threads/work';
import type { EvaluationRequests } from '../../../protocol/evaluation';

/** Paths of results; null if there are none of a kind. */
export interface ResultPlaces {
  /** Results of tasks: `results.jsonl`. */
  readonly results: string | null;
  /** Results of real sessions: `replay.json`. */
  readonly replay: string | null;
  /** Display name. */
  readonly source: string;
}

type ResultOf<M extends keyof EvaluationRequests> = EvaluationRequests[M]['result'];
type ParamsOf<M extends keyof EvaluationRequests> = EvaluationRequests[M]['params'];

/** Requests to the reading thread. */
export interface Readings {
  'read-evaluation': { params: ParamsOf<'read-evaluation'>; result: ResultOf<'read-evaluation'> };
  'read-probe': { params: ParamsOf<'read-probe'>; result: ResultOf<'read-probe'> };
  'read-replay-boundary': { params: ParamsOf<'read-replay-boundary'>; result: ResultOf<'read-replay-boundary'> };
  /** Result: the content of the exported file. */
  export: {
    params: {
      readonly format: ParamsOf<'export-evaluation'>['format'];
      /** Folder of the built dashboard. */
      readonly page: string;
    };
    result: Uint8Array;
  };
}

export type ReadingRequest = {
  [M in keyof Readings]: {
    readonly id: number;
    readonly places: ResultPlaces;
    readonly method: M;
    readonly params: Readings[M]['params'];
  };
}[keyof Readings];

export type ReadingReply = { readonly id: number } & (
  | { readonly kind: 'done'; readonly result: unknown }
  | ({ readonly kind: 'failed' } & WorkFailure)
);

import type { WorkFailure } from '../../../evaluation/threads/work';
import type { EvaluationRequests } from '../../../protocol/evaluation';

/** Where results are; null: there are none of this kind. */
export interface ResultPlaces {
  /** Of a run over tasks: `results.jsonl`. */
  readonly results: string | null;
  /** Of a run over real sessions: `replay.json`. */
  readonly replay: string | null;
  /** What a person calls them. */
  readonly source: string;
}

type ResultOf<M extends keyof EvaluationRequests> = EvaluationRequests[M]['result'];
type ParamsOf<M extends keyof EvaluationRequests> = EvaluationRequests[M]['params'];

/** What the reading thread is asked. */
export interface Readings {
  'read-evaluation': { params: ParamsOf<'read-evaluation'>; result: ResultOf<'read-evaluation'> };
  'read-probe': { params: ParamsOf<'read-probe'>; result: ResultOf<'read-probe'> };
  'read-replay-boundary': { params: ParamsOf<'read-replay-boundary'>; result: ResultOf<'read-replay-boundary'> };
  /** A file's content. */
  export: {
    params: {
      readonly format: ParamsOf<'export-evaluation'>['format'];
      /** The folder that the dashboard's page was built into. */
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

import type { ThreadContract } from '../../../platform/threads/messages';
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

/** The requests for results and their answers. */
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

export interface ReadingContract extends ThreadContract {
  readonly requests: { readonly read: { params: ReadingOrder; result: Readings[keyof Readings]['result'] } };
}

interface ReadingOrder {
  readonly places: ResultPlaces;
  readonly method: keyof Readings;
  readonly params: Readings[keyof Readings]['params'];
}

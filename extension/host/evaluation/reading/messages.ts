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

/** The requests for results and their answers. */
export interface Readings extends Pick<EvaluationRequests, 'read-evaluation' | 'read-probe' | 'read-replay-boundary'> {
  /** Result: the content of the exported file. */
  export: {
    params: {
      readonly format: EvaluationRequests['export-evaluation']['params']['format'];
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

import type { ReplayBoundary } from '../../../extension/evaluation/measure/replay';
import type { ReportFilter } from '../../../extension/evaluation/measure/report';
import type { EvaluationView, ProbeView } from '../../../extension/protocol/evaluation';
import type { Caller } from '../../../extension/protocol/rpc';

/** Source of the dashboard's data: the host, or the page itself. */
export interface EvaluationSource {
  read(filter: ReportFilter): Promise<EvaluationView>;
  probe(id: string): Promise<ProbeView>;
  replayBoundary(id: string): Promise<ReplayBoundary>;
  /** Null if the results are read-only. */
  readonly acts: EvaluationActions | null;
}

export interface EvaluationActions {
  run(what: 'quick' | 'sessions'): Promise<unknown>;
  cancel(): Promise<unknown>;
  /** Opens results that were made elsewhere. */
  open(): Promise<unknown>;
  /** Opens the study that comes with Strata. */
  study(): Promise<unknown>;
  export(format: ExportFormat): Promise<unknown>;
}

export type ExportFormat = 'html' | 'markdown' | 'csv';

/** The host's evaluations. `onRan` is called when an action that was started here has ended. */
export function hostEvaluations(
  request: Caller['request'],
  onRan: (what: 'quick' | 'sessions') => void,
): EvaluationSource {
  return {
    read: (filter) => request('read-evaluation', { filter }),
    probe: (id) => request('read-probe', { id }),
    replayBoundary: (id) => request('read-replay-boundary', { id }),
    acts: {
      async run(what) {
        await request('run-evaluation', { what });
        onRan(what);
      },
      cancel: () => request('cancel-evaluation', {}),
      open: () => request('choose-evaluation', {}),
      study: () => request('show-study', {}),
      export: (format) => request('export-evaluation', { format }),
    },
  };
}

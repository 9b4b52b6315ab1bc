import type { Caller } from '../../../extension/protocol/rpc';
import type { EvaluationSource } from './source';

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

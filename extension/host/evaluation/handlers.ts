import type { EvaluationRequests } from '../../protocol/evaluation';
import type { RequestHandlers } from '../../protocol/rpc';
import type { Evaluations } from './evaluations';

/** Handlers of the panel's requests about evaluations. */
export function evaluationHandlers(evaluations: Evaluations): Pick<RequestHandlers, keyof EvaluationRequests> {
  const runs = {
    quick: () => evaluations.runQuick('panel'),
    sessions: () => evaluations.runSessions('panel'),
  };
  return {
    'read-evaluation': (params) => evaluations.read('read-evaluation', params),
    'read-probe': (params) => evaluations.read('read-probe', params),
    'read-replay-boundary': (params) => evaluations.read('read-replay-boundary', params),
    'run-evaluation': ({ what }) => runs[what](),
    'cancel-evaluation': async () => evaluations.stop(),
    'choose-evaluation': () => evaluations.choose(),
    'show-study': async () => evaluations.showStudy(),
    'export-evaluation': ({ format }) => evaluations.export(format),
  };
}

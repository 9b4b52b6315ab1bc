import * as v from 'valibot';
import type { ContextKind } from '../engine/conversation/context';
import type { ReplayBoundary, ReplayReport, ReplayWay } from '../evaluation/measure/replay';
import type { EvaluationReport, ReportFilter, ReportPoint } from '../evaluation/measure/report';
import type { BoundaryResult, Reading } from '../evaluation/measure/results';
import { taskKinds } from '../evaluation/measure/tasks/task.ts';
import { type RequestsOf, request, result, texts, wholeNumber } from './request.ts';

/** The data of the drift dashboard, in the panel and as a separate page. */
export interface EvaluationView {
  /** Display name of where the results come from. */
  readonly source: string;
  /** Results of a run over tasks. */
  readonly report: EvaluationReport | null;
  /** Results of a run over real sessions. */
  readonly replay: ReplayView | null;
}

/** Without the texts, which are read when a boundary is opened. */
export interface ReplayView extends Omit<ReplayReport, 'boundaries'> {
  readonly boundaries: readonly ReplayBoundaryLine[];
}

export interface ReplayBoundaryLine extends Omit<ReplayBoundary, 'names' | 'messages' | 'ways'> {
  readonly names: number;
  readonly messages: number;
  readonly ways: readonly ReplayWayLine[];
}

export interface ReplayWayLine extends Omit<ReplayWay, 'text' | 'namesHeld' | 'messagesHeld'> {
  readonly namesHeld: number;
  readonly messagesHeld: number;
}

/** The details of one point: both contexts, the questions, the answers and the ground truth. */
export interface ProbeView {
  readonly point: ReportPoint;
  readonly taskTitle: string;
  readonly boundary: Omit<BoundaryResult, 'before' | 'after'>;
  readonly before: ReadingView;
  readonly after: ReadingView;
}

export interface ReadingView extends Omit<Reading, 'context'> {
  /** Null if the run did not keep the contexts. */
  readonly context: readonly ContextTextView[] | null;
}

export interface ContextTextView {
  readonly kind: ContextKind;
  readonly tokens: number;
  readonly text: string;
}

/** Requests of the panel about evaluations. */
export const evaluationRequests = {
  'read-evaluation': request({ filter: reportFilter() }, result<EvaluationView>()),
  'read-probe': request({ id: v.string() }, result<ProbeView>()),
  'read-replay-boundary': request({ id: v.string() }, result<ReplayBoundary>()),
  /** Runs without a model. `quick`: a few tasks. `sessions`: the person's own sessions. */
  'run-evaluation': request({ what: v.picklist(['quick', 'sessions']) }),
  'cancel-evaluation': request({}),
  /** Opens VS Code's file dialog to choose existing results. */
  'choose-evaluation': request({}),
  /** Shows the results of the study that comes with Strata. */
  'show-study': request({}),
  /** Opens VS Code's save dialog. */
  'export-evaluation': request({ format: v.picklist(['html', 'markdown', 'csv']) }),
};
export type EvaluationRequests = RequestsOf<typeof evaluationRequests>;

function reportFilter(): v.GenericSchema<unknown, ReportFilter> {
  return v.strictObject({
    tasks: v.exactOptional(texts()),
    kinds: v.exactOptional(v.array(v.picklist(taskKinds))),
    seeds: v.exactOptional(v.array(v.number())),
    compactions: v.exactOptional(v.array(wholeNumber())),
  });
}

export interface EvaluationState {
  /** Increases with every change of the results; the panel then reads them again. */
  readonly revision: number;
  readonly running: { readonly label: string; readonly done: number; readonly of: number } | null;
}

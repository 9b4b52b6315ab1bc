import type { ContextKind } from '../engine/conversation/context';
import type { ReplayBoundary, ReplayReport, ReplayWay } from '../evaluation/measure/replay';
import type { EvaluationReport, ReportFilter, ReportPoint } from '../evaluation/measure/report';
import type { BoundaryResult, Reading } from '../evaluation/measure/results';

/** The drift dashboard, in the panel and as a page of its own. */
export interface EvaluationView {
  /** Where the results come from, for a person. */
  readonly source: string;
  /** Of a run over tasks. */
  readonly report: EvaluationReport | null;
  /** Of a run over real sessions. */
  readonly replay: ReplayView | null;
}

/** Without the texts: they are read when one boundary is opened. */
export interface ReplayView extends Omit<ReplayReport, 'boundaries'> {
  readonly boundaries: readonly ReplayBoundaryLine[];
}

export interface ReplayBoundaryLine extends Omit<ReplayBoundary, 'names' | 'directions' | 'ways'> {
  readonly names: number;
  readonly directions: number;
  readonly ways: readonly ReplayWayLine[];
}

export interface ReplayWayLine extends Omit<ReplayWay, 'text' | 'namesHeld' | 'directionsHeld'> {
  readonly namesHeld: number;
  readonly directionsHeld: number;
}

/** What stands behind one point: both contexts, the questions, the answers and the truth. */
export interface ProbeView {
  readonly point: ReportPoint;
  readonly taskTitle: string;
  readonly boundary: Omit<BoundaryResult, 'before' | 'after'>;
  readonly before: ReadingView;
  readonly after: ReadingView;
}

export interface ReadingView extends Omit<Reading, 'context'> {
  /** Null where the results were kept without the contexts. */
  readonly context: readonly ContextTextView[] | null;
}

export interface ContextTextView {
  readonly kind: ContextKind;
  readonly tokens: number;
  readonly text: string;
}

/** What the panel asks of the host about evaluations. */
export interface EvaluationRequests {
  'read-evaluation': { params: { filter: ReportFilter }; result: EvaluationView };
  'read-probe': { params: { id: string }; result: ProbeView };
  'read-replay-boundary': { params: { id: string }; result: ReplayBoundary };
  /** `quick`: a few tasks without a model. `sessions`: the sessions of the person, without a model. */
  'run-evaluation': { params: { what: 'quick' | 'sessions' }; result: null };
  'cancel-evaluation': { params: Record<string, never>; result: null };
  /** The editor's own file dialog, for results that were made elsewhere. */
  'choose-evaluation': { params: Record<string, never>; result: null };
  /** The editor's own save dialog. */
  'export-evaluation': { params: { format: 'html' | 'markdown' | 'csv' }; result: null };
}

/** What the host tells the panel about them. */
export interface EvaluationNotifications {
  'evaluation-changed': { state: EvaluationState };
}

export interface EvaluationState {
  /** Grows with every change of the results: what is on screen is read anew. */
  readonly revision: number;
  readonly running: { readonly label: string; readonly done: number; readonly of: number } | null;
}

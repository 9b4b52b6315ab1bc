import type { CoreItemStatus, PinKind } from '../engine/core/core';
import type { EvaluationNotifications, EvaluationRequests, EvaluationState } from './evaluation';
import type {
  CompactionDetail,
  ComparisonRow,
  HistoryView,
  ImageView,
  OpeningView,
  PreviewView,
  Row,
  RowDetail,
  RowRange,
  SessionListItem,
  SessionView,
  StrategyView,
  SummarizerView,
} from './view';

/** What the webview asks of the host. Both handler tables are typed from here. */
export interface Requests extends EvaluationRequests {
  /** The first request of every webview; the answer paints the first frame. */
  start: { params: Record<string, never>; result: PanelStart };
  'list-sessions': { params: Record<string, never>; result: readonly SessionListItem[] };
  'open-session': { params: { file: string }; result: null };
  /** The editor's own file dialog. */
  'choose-session-file': { params: Record<string, never>; result: null };
  /** The rows that a block replaced. They may hold blocks in their turn. */
  'rows-beneath': { params: { compactionId: string }; result: readonly Row[] };
  'read-row': { params: { key: string }; result: RowDetail };
  /** Opens the session file at the record that the row came from. */
  'reveal-row': { params: { key: string }; result: null };
  'reveal-entry': { params: { entryId: string }; result: null };
  'reveal-issue': { params: { file: string; line: number }; result: null };
  'preview-compaction': {
    params: { strategy: string; instructions: string; range: RowRange | null };
    result: PreviewView;
  };
  /** The same preview with another text for one of its blocks; it gets an id of its own. */
  'edit-preview': { params: { id: string; block: number; text: string }; result: PreviewView };
  /** The same preview with these dropped artifacts put back into one of its blocks. */
  'put-back-into-preview': { params: { id: string; block: number; texts: readonly string[] }; result: PreviewView };
  /** One strategy's dry run with the extractive summarizer: the panel asks for one after the other. */
  'compare-strategy': { params: { strategy: string }; result: ComparisonRow };
  /** A preview that was made before, by its id. */
  'read-preview': { params: { id: string }; result: PreviewView };
  /** Carries out exactly what was previewed. Rejected when the context has changed since. */
  'apply-preview': { params: { id: string }; result: null };
  'cancel-compaction': { params: Record<string, never>; result: null };
  'read-compaction': { params: { id: string }; result: CompactionDetail };
  /** Puts dropped artifacts back, verbatim, into a block that stands. */
  'put-back': { params: { id: string; texts: readonly string[] }; result: null };
  /** Gives a block that stands another text. Rejected when its text is no longer `before`, which the edit began with. */
  'edit-block': { params: { id: string; text: string; before: string }; result: null };
  /** Takes the entry of a row out of the context: a message with its tool calls and results, or a whole turn. */
  'exclude-row': { params: { key: string }; result: null };
  /** For the chart; computed when it is asked for. */
  'read-history': { params: Record<string, never>; result: HistoryView };
  /** Keys of the rows whose full text has all of these words; a newer search takes the place of an older one. */
  'find-rows': { params: { words: string }; result: { readonly keys: readonly string[] } };
  'read-images': { params: { key: string }; result: readonly ImageView[] };
  /** A link in what was said: the editor shows where it leads and asks first. */
  'open-link': { params: { url: string }; result: null };
  /** The editor's own diff view. */
  'open-diff': { params: { id: string }; result: null };
  /** Without `seq`, the newest run. The host asks first when later compactions would come undone with it. */
  undo: { params: { seq?: number }; result: null };
  redo: { params: Record<string, never>; result: null };
  pin: { params: { kind: PinKind; text: string; rowKey: string | null }; result: null };
  /** Looks for goals, constraints and decisions in what was said; what it finds is proposed, never pinned. */
  'propose-core': { params: Record<string, never>; result: { readonly added: number } };
  'change-core-item': { params: { id: string; status: CoreItemStatus }; result: null };
  'edit-core-item': { params: { id: string; text: string; rationale: string | null }; result: null };
  /** All items of one kind in their new order. */
  'order-core-items': { params: { ids: readonly string[] }; result: null };
  /** Switches automatic compaction on or off. */
  'toggle-auto-compact': { params: Record<string, never>; result: null };
  /** The editor's own list of summarizers. */
  'choose-summarizer': { params: Record<string, never>; result: null };
  /** Opens a draft for a new thread in an untitled editor; asks for the goal when it is empty. */
  'hand-off': { params: { goal: string }; result: null };
  /** Writes a new session of the same agent; with a row of the person, only what was said before it. */
  fork: { params: { beforeRow: string | null }; result: null };
  /** Appends the compaction to the session itself. The host asks first. */
  'compact-in-place': { params: Record<string, never>; result: null };
  /** Goes on with the session in its agent, in a terminal. */
  resume: { params: Record<string, never>; result: null };
  /** Puts a session that Strata wrote into the trash. */
  'delete-fork': { params: Record<string, never>; result: null };
  'open-in-editor': { params: Record<string, never>; result: null };
}

/** What the host tells the webview unasked. */
export interface Notifications extends EvaluationNotifications {
  'session-opened': { view: SessionView };
  'session-changed': { change: SessionChange };
  'session-closed': Record<string, never>;
  'sessions-changed': { sessions: readonly SessionListItem[] };
  'busy-changed': { busy: BusyView | null };
  'summarizer-changed': { summarizer: SummarizerView };
  'opening-changed': { opening: OpeningView | null };
  /** An entry of a row's context menu, which is the editor's own. */
  'row-action': { action: RowAction; key: string };
  /** A command of the palette that is answered inside the panel. */
  show: {
    what:
      | ('compact' | 'compare' | 'pin-goal' | 'pin-constraint' | 'pin-decision' | 'compactions' | 'core' | 'sessions')
      /** The drift dashboard; with what was played, or with what was replayed, where there are both. */
      | ('evaluate' | 'evaluate-tasks' | 'evaluate-sessions');
  };
}

/** What the context menu of a row offers. */
export const rowActions = [
  'pin',
  'compact-up-to',
  'compact-from',
  'exclude',
  'restore',
  'reveal',
  'copy',
  'branch',
  'fold-all',
  'unfold-all',
] as const;
export type RowAction = (typeof rowActions)[number];

/** What differs from the revision before. A field that is absent has not changed. */
export interface SessionChange extends Partial<Omit<SessionView, 'rows' | 'revision'>> {
  readonly revision: number;
  /** Replaces `removed` rows from index `at` on by `rows`. */
  readonly splice?: { readonly at: number; readonly removed: number; readonly rows: readonly Row[] };
}

export interface PanelStart {
  readonly view: SessionView | null;
  readonly sessions: readonly SessionListItem[];
  readonly strategies: readonly StrategyView[];
  readonly defaultStrategy: string;
  readonly summarizer: SummarizerView;
  readonly placement: 'view' | 'editor';
  readonly busy: BusyView | null;
  readonly opening: OpeningView | null;
  readonly evaluation: EvaluationState;
}

export interface BusyView {
  readonly label: string;
  readonly cancellable: boolean;
  /** Blocks that are done and that the present round has, and the end of the text that streams; null before the first. */
  readonly progress: { readonly done: number; readonly of: number; readonly text: string } | null;
}

export type Method = keyof Requests;
export type Topic = keyof Notifications;

import type { CoreItemStatus, PinKind } from '../engine/core/core';
import type { AgentSetupRequests } from './agents';
import type { AskedView, AskingCostView, AskingSubject, StandardQuestion } from './asking';
import type { EvaluationNotifications, EvaluationRequests, EvaluationState } from './evaluation';
import type { OwnConversationsView } from './own-conversations';
import type {
  CompactionDetail,
  ComparisonRow,
  HistoryView,
  ImageView,
  OpeningView,
  PreviewView,
  RewritingView,
  Row,
  RowDetail,
  RowRange,
  RowsBeneath,
  SessionListItem,
  SessionView,
  StrategyView,
  SummarizerView,
  WriterOfferView,
  WritingCostView,
} from './view';

/** Requests of the webview to the host. Both handler tables are typed from here. */
export interface Requests extends EvaluationRequests, AgentSetupRequests {
  /** The first request of every webview. The answer is the first frame. */
  start: { params: Record<string, never>; result: PanelStart };
  'list-sessions': { params: Record<string, never>; result: readonly SessionListItem[] };
  'open-session': { params: { file: string }; result: null };
  'read-own-conversations': { params: Record<string, never>; result: OwnConversationsView };
  /** Lets a person choose which of them to delete. Returns the remaining ones. */
  'manage-own-conversations': { params: Record<string, never>; result: OwnConversationsView };
  /** Opens VS Code's file dialog. */
  'choose-session-file': { params: Record<string, never>; result: null };
  /** The rows that a block replaced, which may include blocks. */
  'rows-beneath': { params: { compactionId: string }; result: RowsBeneath };
  'read-row': { params: { key: string }; result: RowDetail };
  /** Opens the session file at the record of the row. */
  'reveal-row': { params: { key: string }; result: null };
  'reveal-entry': { params: { entryId: string }; result: null };
  'reveal-issue': { params: { file: string; line: number }; result: null };
  'preview-compaction': {
    /** `targetTokens`: size of the context at which the run stops; null: as the strategy is set. */
    params: { strategy: string; instructions: string; range: RowRange | null; targetTokens: number | null };
    /** `chosen`: label of the summarizer that it was prepared with; the panel may not know it yet. */
    result: PreviewView & { readonly chosen?: string };
  };
  /** The same preview with another text for one block, under a new id. */
  'edit-preview': { params: { id: string; block: number; text: string }; result: PreviewView };
  /** The same preview with these lost artifacts put back into one block. */
  'put-back-into-preview': { params: { id: string; block: number; texts: readonly string[] }; result: PreviewView };
  /** A dry run of one strategy without a model. The panel asks for them one at a time. */
  'compare-strategy': { params: { strategy: string }; result: ComparisonRow };
  /** The tokens that the chosen model would read and write for a strategy now; null if it would not be asked. */
  'writing-cost': { params: { strategy: string }; result: WritingCostView | null };
  /** The run of one strategy with the chosen model, as a preview prepares it. The host asks for consent first. */
  'write-compared': { params: { strategy: string }; result: ComparisonRow };
  /** An earlier preview, by its id. */
  'read-preview': { params: { id: string }; result: PreviewView };
  /** Applies exactly what was previewed. Fails if the context has changed since. */
  'apply-preview': { params: { id: string }; result: null };
  /** What asking one question with both contexts costs. Asks nothing. */
  'asking-cost': { params: { subject: AskingSubject }; result: AskingCostView };
  /** Asks the model with both contexts. The host asks for consent first. */
  'ask-both': {
    params: { subject: AskingSubject; standard: readonly StandardQuestion[]; own: readonly string[] };
    result: AskedView;
  };
  'cancel-compaction': { params: Record<string, never>; result: null };
  'read-compaction': { params: { id: string }; result: CompactionDetail };
  /** Puts lost artifacts back, verbatim, into an applied block. */
  'put-back': { params: { id: string; texts: readonly string[] }; result: null };
  /** Changes the text of an applied block. Fails if its text is no longer `before`, with which the edit began. */
  'edit-block': { params: { id: string; text: string; before: string }; result: null };
  /** Has the chosen model rewrite the text of an applied block. Changes nothing; null if the person cancels. */
  'write-again': { params: { id: string }; result: RewritingView | null };
  /** Replaces the old text by the rewritten one. */
  'keep-rewriting': { params: { rewriting: string }; result: null };
  'open-rewriting-diff': { params: { rewriting: string }; result: null };
  /** Restores the text that a block had before its last change. */
  'restore-text': { params: { id: string }; result: null };
  /** Excludes the entry of a row from the context: a message with its tool calls and results, or a whole turn. */
  'exclude-row': { params: { key: string }; result: null };
  /** Data of the chart, computed on request. */
  'read-history': { params: Record<string, never>; result: HistoryView };
  /** Shows the session as it was at a moment, by its index in `HistoryView.moments`; null: as it is now. */
  travel: { params: { moment: number | null }; result: null };
  /** Keys of the rows whose full text contains all of these words. A newer search cancels an older one. */
  'find-rows': { params: { words: string }; result: { readonly keys: readonly string[] } };
  'read-images': { params: { key: string }; result: readonly ImageView[] };
  /** Opens a link of a message. VS Code shows its target and asks first. */
  'open-link': { params: { url: string }; result: null };
  /** Opens VS Code's diff editor. */
  'open-diff': { params: { id: string }; result: null };
  /** By the number of a run, or of a single block; without either, the newest run. The host asks first if later ones would be undone with it. */
  undo: { params: { run?: number; block?: number }; result: null };
  redo: { params: Record<string, never>; result: null };
  pin: { params: { kind: PinKind; text: string; rowKey: string | null }; result: null };
  /** Finds goals, constraints and decisions in the conversation and proposes them. Never pins them. */
  'propose-core': { params: Record<string, never>; result: { readonly added: number } };
  /** Copies what the agent's newest compaction forgot, as the next prompt for the agent. */
  'copy-forgotten': { params: { without: readonly string[] }; result: null };
  'change-core-item': { params: { id: string; status: CoreItemStatus }; result: null };
  'edit-core-item': { params: { id: string; text: string; rationale: string | null }; result: null };
  /** Ids of all items of one kind in their new order. */
  'order-core-items': { params: { ids: readonly string[] }; result: null };
  /** Turns automatic compaction on or off. */
  'toggle-auto-compact': { params: Record<string, never>; result: null };
  /** Opens VS Code's quick pick of summarizers. */
  'choose-summarizer': { params: Record<string, never>; result: null };
  /** The answers to the question who writes; the first one is preselected. */
  'read-writers': { params: Record<string, never>; result: readonly WriterOfferView[] };
  /** Makes an answer the summarizer. `isAnswered` is false if the person cancelled. */
  'answer-writer': { params: { id: string }; result: { readonly isAnswered: boolean } };
  /** Opens a draft for a new thread in an untitled editor. Asks for the goal if it is empty. */
  'hand-off': { params: { goal: string }; result: null };
  /** Writes a new session of the same agent, as it is shown. With the row of a prompt, only what comes before it. */
  fork: { params: { beforeRow: string | null }; result: null };
  /** Writes a new session with everything that can be read in a broken one. */
  'fork-whole': { params: Record<string, never>; result: null };
  /** Writes a new session and resumes it in its agent, in a terminal. */
  'fork-and-resume': { params: Record<string, never>; result: null };
  /** Appends the compaction to the session file itself. The host asks first. */
  'compact-in-place': { params: Record<string, never>; result: null };
  /** Resumes the session in its agent, in a terminal. */
  resume: { params: Record<string, never>; result: null };
  /** Moves a session that Strata wrote to the trash. */
  'delete-fork': { params: Record<string, never>; result: null };
  'open-in-editor': { params: Record<string, never>; result: null };
}

/** Notifications of the host to the webview. */
export interface Notifications extends EvaluationNotifications {
  'session-opened': { view: SessionView };
  'session-changed': { change: SessionChange };
  'session-closed': Record<string, never>;
  'sessions-changed': { sessions: readonly SessionListItem[] };
  'busy-changed': { busy: BusyView | null };
  'summarizer-changed': { summarizer: SummarizerView };
  'opening-changed': { opening: OpeningView | null };
  /** A person chose an entry of a row's context menu, which VS Code shows. */
  'row-action': { action: RowAction; key: string };
  /** A palette command that the panel handles. */
  show: {
    what:
      | ('compact' | 'compare' | 'pin-goal' | 'pin-constraint' | 'pin-decision' | 'compactions' | 'core' | 'sessions')
      /** The page on which agents are set up. */
      | 'agents'
      /** The drift dashboard; optionally the results of tasks or of replayed sessions, if there are both. */
      | ('evaluate' | 'evaluate-tasks' | 'evaluate-sessions');
  };
}

/** Entries of a row's context menu. */
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

/** The difference to the previous revision. An absent field has not changed. */
export interface SessionChange extends Partial<Omit<SessionView, 'rows' | 'revision'>> {
  readonly revision: number;
  /** Replaces `removed` rows from index `at` by `rows`. */
  readonly splice?: { readonly at: number; readonly removed: number; readonly rows: readonly Row[] };
  /** Present if tokens of rows that stay have changed: with each report, the tokens of all rows change a little. */
  readonly sizes?: RowSizes;
}

export interface RowSizes {
  /** Tokens of each row, after the splice. */
  readonly rows: readonly number[];
  /** Tokens that each block replaces, by the id of its compaction. */
  readonly blocks: Readonly<Record<string, number | null>>;
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
  /** Finished and total blocks of the current round, and the end of the streaming text; null before the first block. */
  readonly progress: { readonly done: number; readonly of: number; readonly text: string } | null;
}

export type Method = keyof Requests;
export type Topic = keyof Notifications;

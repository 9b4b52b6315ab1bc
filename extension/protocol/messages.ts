import * as v from 'valibot';
import { coreItemStatuses, pinKinds } from '../engine/core/core.ts';
import { agentSetupRequests } from './agents.ts';
import { type AskedView, type AskingCostView, standardQuestions } from './asking.ts';
import { type EvaluationState, evaluationRequests } from './evaluation.ts';
import type { OwnConversationsView } from './own-conversations';
import { type RequestsOf, request, result, texts, wholeNumber } from './request.ts';
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
  RowsBeneath,
  SessionListItem,
  SessionView,
  StrategyView,
  SummarizerView,
  WriterOfferView,
  WritingCostView,
} from './view';

/** Requests of the webview to the host. Both handler tables are typed from here. */
export const requests = {
  ...evaluationRequests,
  ...agentSetupRequests,
  /** The first request of every webview. The answer is the first frame. */
  start: request({}, result<PanelStart>()),
  'list-sessions': request({}, result<readonly SessionListItem[]>()),
  'open-session': request({ file: v.string() }),
  'read-own-conversations': request({}, result<OwnConversationsView>()),
  /** Lets a person choose which of them to delete. Returns the remaining ones. */
  'manage-own-conversations': request({}, result<OwnConversationsView>()),
  /** Opens VS Code's file dialog. */
  'choose-session-file': request({}),
  /** The rows that a block replaced, which may include blocks. */
  'rows-beneath': request({ compactionId: v.string() }, result<RowsBeneath>()),
  'read-row': request({ key: v.string() }, result<RowDetail>()),
  /** Opens the session file at the record of the row. */
  'reveal-row': request({ key: v.string() }),
  'reveal-entry': request({ entryId: v.string() }),
  'reveal-issue': request({ file: v.string(), line: wholeNumber() }),
  /**
   * `targetTokens`: size of the context at which the run stops; null: as the strategy is set. `chosen`: label of the
   * summarizer that it was prepared with; the panel may not know it yet.
   */
  'preview-compaction': request(
    {
      strategy: v.string(),
      instructions: v.string(),
      range: v.nullable(v.strictObject({ from: v.nullable(v.string()), upTo: v.nullable(v.string()) })),
      targetTokens: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))),
    },
    result<PreviewView & { readonly chosen?: string }>(),
  ),
  /** The same preview with another text for one block, under a new id. */
  'edit-preview': request({ id: v.string(), block: wholeNumber(), text: v.string() }, result<PreviewView>()),
  /** The same preview with these lost artifacts put back into one block. */
  'put-back-into-preview': request({ id: v.string(), block: wholeNumber(), texts: texts() }, result<PreviewView>()),
  /** A dry run of one strategy without a model. The panel asks for them one at a time. */
  'compare-strategy': request({ strategy: v.string() }, result<ComparisonRow>()),
  /** The tokens that the chosen model would read and write for a strategy now; null if it would not be asked. */
  'writing-cost': request({ strategy: v.string() }, result<WritingCostView | null>()),
  /** The run of one strategy with the chosen model, as a preview prepares it. The host asks for consent first. */
  'write-compared': request({ strategy: v.string() }, result<ComparisonRow>()),
  'read-preview': request({ id: v.string() }, result<PreviewView>()),
  /** Applies exactly what was previewed. Fails if the context has changed since. */
  'apply-preview': request({ id: v.string() }),
  /** The cost of one question with both contexts. Asks nothing. */
  'asking-cost': request({ subject: askingSubject() }, result<AskingCostView>()),
  /** Asks the model with both contexts. The host asks for consent first. */
  'ask-both': request(
    {
      subject: askingSubject(),
      standard: v.pipe(v.array(v.picklist(standardQuestions)), v.readonly()),
      own: texts(),
    },
    result<AskedView>(),
  ),
  'cancel-compaction': request({}),
  'read-compaction': request({ id: v.string() }, result<CompactionDetail>()),
  /** Puts lost artifacts back, verbatim, into an applied block. */
  'put-back': request({ id: v.string(), texts: texts() }),
  /** Changes the text of an applied block. Fails if its text is no longer `before`, with which the edit began. */
  'edit-block': request({ id: v.string(), text: v.string(), before: v.string() }),
  /** Has the chosen model rewrite the text of an applied block. Changes nothing; null if the person cancels. */
  'write-again': request({ id: v.string() }, result<RewritingView | null>()),
  /** Replaces the old text by the rewritten one. */
  'keep-rewriting': request({ rewriting: v.string() }),
  'open-rewriting-diff': request({ rewriting: v.string() }),
  /** Restores the text that a block had before its last change. */
  'restore-text': request({ id: v.string() }),
  /** Excludes the entry of a row from the context: a message with its tool calls and results, or a whole turn. */
  'exclude-row': request({ key: v.string() }),
  /** Data of the chart, computed on request. */
  'read-history': request({}, result<HistoryView>()),
  /** Shows the session as it was at a moment, by its index in `HistoryView.moments`; null: as it is now. */
  travel: request({ moment: v.nullable(wholeNumber()) }),
  /** Keys of the rows whose full text contains all of these words. A newer search cancels an older one. */
  'find-rows': request({ words: v.string() }, result<{ readonly keys: readonly string[] }>()),
  'read-images': request({ key: v.string() }, result<readonly ImageView[]>()),
  /** Opens a link of a message. VS Code shows its target and asks first. */
  'open-link': request({ url: v.string() }),
  /** Opens VS Code's diff editor. */
  'open-diff': request({ id: v.string() }),
  /** Undoes the run or the single block with this number; without either, the newest run. The host asks first if it would undo later ones too. */
  undo: request({ run: v.exactOptional(wholeNumber()), block: v.exactOptional(wholeNumber()) }),
  redo: request({}),
  pin: request({ kind: v.picklist(pinKinds), text: v.string(), rowKey: v.nullable(v.string()) }),
  /** Finds goals, constraints and decisions in the conversation and proposes them. Never pins them. */
  'propose-core': request({}, result<{ readonly added: number }>()),
  /** Copies what the agent's newest compaction forgot, as the next prompt for the agent. */
  'copy-forgotten': request({ without: texts() }),
  'change-core-item': request({ id: v.string(), status: v.picklist(coreItemStatuses) }),
  'edit-core-item': request({ id: v.string(), text: v.string(), rationale: v.nullable(v.string()) }),
  /** Ids of all items of one kind in their new order. */
  'order-core-items': request({ ids: texts() }),
  /** Turns automatic compaction on or off. */
  'toggle-auto-compact': request({}),
  /** Opens VS Code's quick pick of summarizers. */
  'choose-summarizer': request({}),
  /** The answers to the question who writes; the first one is preselected. */
  'read-writers': request({}, result<readonly WriterOfferView[]>()),
  /** Makes an answer the summarizer. `isAnswered` is false if the person cancelled. */
  'answer-writer': request({ id: v.string() }, result<{ readonly isAnswered: boolean }>()),
  /** Opens a draft for a new thread in an untitled editor. Asks for the goal if it is empty. */
  'hand-off': request({ goal: v.string() }),
  /** Writes a new session of the same agent, as it is shown. With the row of a prompt, only what comes before it. */
  fork: request({ beforeRow: v.nullable(v.string()) }),
  /** Writes a new session with everything that can be read in a broken one. */
  'fork-whole': request({}),
  /** Writes a new session and resumes it in its agent, in a terminal. */
  'fork-and-resume': request({}),
  /** Appends the compaction to the session file itself. The host asks first. */
  'compact-in-place': request({}),
  /** Resumes the session in its agent, in a terminal. */
  resume: request({}),
  /** Moves a session that Strata wrote to the trash. */
  'delete-fork': request({}),
  'open-in-editor': request({}),
};
export type Requests = RequestsOf<typeof requests>;

function askingSubject() {
  return v.strictObject({ of: v.picklist(['preview', 'compaction']), id: v.string() });
}

/** Notifications of the host to the webview. */
export interface Notifications {
  'evaluation-changed': { state: EvaluationState };
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

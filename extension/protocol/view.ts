import type { ContextKind } from '../engine/conversation/context';
import type { CoreItem } from '../engine/core/core';
import type { CoreItemEvent } from '../engine/core/history';
import type { GoalDrift } from '../engine/history/goal-drift';
import type { Rereading } from '../engine/history/rereading';
import type { OriginalGoal } from '../engine/journal/overlay';
import type { Forgotten, ForgottenKind } from '../engine/language/forgotten';
import type { ArtifactKind, MatterKind } from '../engine/language/loss-report';

/** Exported here because the webview imports only types from the engine. */
export { pinKinds } from '../engine/core/core';

/** What the panel shows of one session. Ready to paint: the webview derives state and computes nothing. */
export interface SessionView {
  /** Increases by one with every change. */
  readonly revision: number;
  readonly header: HeaderView;
  /** The context as the rows show it. */
  readonly gauge: GaugeView;
  /** What the system tokens of the gauge consist of. They add up to them. */
  readonly system: readonly SystemPiece[];
  /** What the agent has now, while it differs from what is shown; else null. */
  readonly inAgent: GaugeView | null;
  /** The moment that gauges, rows and core are of; null: now. */
  readonly past: PastView | null;
  readonly effect: EffectView;
  readonly rows: readonly Row[];
  /** `rows` has only the newest rows. The earlier ones follow in the next changes. */
  readonly earlierRowsFollow?: boolean;
  /** Rows from this key on are too new to be compacted; null if there are none. */
  readonly ageLineKey: string | null;
  /** Oldest first. */
  readonly compactions: readonly CompactionView[];
  readonly core: CoreView;
  /** What Undo and Redo would act on; null if there is nothing. */
  readonly undo: { readonly label: string } | null;
  readonly redo: { readonly label: string } | null;
  readonly autoCompact: AutoCompactView;
  /** What the agent forgot when it compacted by itself, while that is news; null if it forgot nothing. */
  readonly rescue: RescueView | null;
  /** Hints that need no action; at most one of each kind. */
  readonly notices: readonly NoticeView[];
}

/** A moment of the session that is not now. */
export interface PastView {
  /** Index in `HistoryView.moments`. */
  readonly moment: number;
  /** Number of moments; the last one is now. */
  readonly of: number;
  /** Index of the newest entry in the conversation then. */
  readonly at: number;
  /** Number of the newest turn then; 0 before the first. */
  readonly turn: number;
  /** Of the newest entry then; milliseconds since the epoch. */
  readonly time: number | null;
  /** What happened last: a message, or a compaction, an undo or a change of the core in Strata. */
  readonly after: 'message' | 'record';
}

/** Where compactions of the session take effect (`Effect` in `extension/inspection/effect.ts`). */
export type EffectView = 'next-request' | 'next-compaction' | 'when-asked' | 'new-session' | 'nowhere';

export interface AutoCompactView {
  /** False also where it would not reach the agent. */
  readonly enabled: boolean;
  /** Whether it can be on for this session: a compaction that nobody asked for would reach the agent. */
  readonly isPossible: boolean;
  /** Context size in tokens that starts a compaction; null if only counts and ages of messages start it. */
  readonly startsAt: number | null;
  /** Whether counts and ages of messages can start a compaction below that size. */
  readonly orEarlier: boolean;
}

export interface NoticeView {
  /**
   * `not-in-agent`: the agent goes on with another context than the shown one. `in-effect`: the next request is sent
   * with the newest compaction. `auto-compact-soon`: an automatic compaction will start soon. `auto-compact-stopped`: three model calls failed in a
   * row. `many-compactions`: accuracy suffers. `core-large`: the core exceeds its share of the window.
   */
  readonly kind:
    | 'not-in-agent'
    | 'in-effect'
    | 'auto-compact-soon'
    | 'auto-compact-stopped'
    | 'many-compactions'
    | 'core-large';
  readonly text: string;
}

/** What the agent's newest compaction by itself dropped and its context still lacks. */
export interface RescueView {
  readonly compactionId: string;
  /** `2 goals, 1 rule` */
  readonly summary: string;
  readonly groups: readonly ForgottenGroup[];
  /** Counted tokens of the prompt that says exactly this. */
  readonly promptTokens: number;
  /** Number of items that belong in the core and are not in it yet. */
  readonly unpinned: number;
}

export interface ForgottenGroup {
  readonly kind: ForgottenKind;
  readonly items: readonly Forgotten[];
}

export interface HeaderView {
  readonly agent: string;
  readonly agentName: string;
  readonly id: string;
  readonly file: string;
  readonly cwd: string | null;
  readonly title: string | null;
  readonly model: string | null;
  readonly live: boolean;
  readonly issues: readonly IssueView[];
  /** The session that started this one. `file` is null if it was not found. */
  readonly parent: { readonly file: string | null } | null;
  /** Sessions that this one started. Timeline rows link to those whose calls are in the context. */
  readonly subagents: readonly SubagentView[];
  /** Number of records of each type in the session file that are not part of the conversation. */
  readonly otherRecords: readonly { readonly type: string; readonly count: number }[];
  readonly writing: WritingView;
}

export interface SubagentView {
  readonly file: string;
  readonly title: string | null;
}

/** What Strata can write for this session's agent. */
export interface WritingView {
  /** Can write a new session with the context as shown. */
  readonly fork: boolean;
  /** Can append the compaction to the session itself now. */
  readonly inPlace: boolean;
  /** The agent has a command that resumes the session. */
  readonly resume: boolean;
  /** Strata wrote this session, so it can be moved to the trash. */
  readonly isFork: boolean;
}

/** A part of the session file or the journal that could not be read. */
export interface IssueView {
  readonly file: string;
  /** 1-based; 0 for the whole file. */
  readonly line: number;
  readonly message: string;
}

export interface GaugeView {
  readonly total: number;
  /** `counting`: the tokenizer is not finished, and the rest is estimated from text lengths. */
  readonly source: 'reported' | 'estimated' | 'counting';
  /** The part of `total` that nobody reported: the messages since the report; without a report, all of it. */
  readonly countedSince: number;
  /** Reported tokens per counted token. All figures are scaled by it; 1 if nothing was reported. */
  readonly calibration: number;
  readonly window: number;
  /** The model's window is unknown, so the value of the setting is used. */
  readonly windowAssumed: boolean;
  /** Tokens kept free for the reply and the next summary. */
  readonly reserve: number;
  readonly byKind: Readonly<Record<ContextKind, number>>;
  /** System tokens the agent sends but does not log; derived from the first reported usage. Part of `byKind.system`. */
  readonly derivedSystem: number;
  /** What is wrong with the size; null if nothing is. */
  readonly alarm: GaugeAlarm | null;
}

/** `error`: the context is larger than its window. `warning`: it is time to compact. */
export interface GaugeAlarm {
  readonly level: 'warning' | 'error';
  readonly text: string;
}

/** A part of what the agent sends in front of the conversation. */
export interface SystemPiece {
  /** Plain text. */
  readonly label: string;
  readonly tokens: number;
  /** Where it was read, if it is not in the session file. */
  readonly file?: string;
  /** Estimated from the length of its file as it is now. */
  readonly isEstimate?: true;
}

export type RowKind =
  | 'system'
  | 'core'
  | 'goal_batch'
  | 'summary'
  | 'user'
  | 'injected'
  | 'reasoning'
  | 'assistant'
  | 'tool';

/** One line of the timeline. A reply with reasoning, text and two tool calls has four rows. A tool result is part of its call's row. */
export interface Row {
  /** Unique within the session and stable across changes. */
  readonly key: string;
  readonly kind: RowKind;
  /** Number of the turn that this user row begins, 1-based within the context; null for other rows. */
  readonly turn: number | null;
  /** One line of plain text, at most 240 characters. */
  readonly preview: string;
  readonly tokens: number;
  readonly tool: ToolView | null;
  readonly block: BlockView | null;
  readonly images: number;
  /** Kinds of the core's active items that were pinned from this row's entry. */
  readonly pinned: readonly string[];
  /** Milliseconds since the epoch. */
  readonly time: number | null;
}

export interface ToolView {
  readonly name: string;
  /** The most informative argument, such as a path, a command or a pattern. One line. */
  readonly subject: string;
  readonly outcome: 'ok' | 'error' | 'running';
  /** One line of the result. */
  readonly result: string;
  /** A compaction removed its output. */
  readonly pruned: boolean;
  /** File or address of the conversation that this call started. */
  readonly subagent?: string;
}

export interface BlockView {
  readonly tag: string;
  readonly by: 'strata' | 'agent';
  /** Id of the compaction that made this block. */
  readonly compactionId: string;
  readonly entryCount: number;
  readonly turnCount: number | null;
  readonly tokensBefore: number | null;
  /** At most two sentences about the replaced entries; null if there are none. */
  readonly displayLine: string | null;
}

/** The full content of a row, read when a person opens it. */
export interface RowDetail {
  readonly sections: readonly RowSection[];
  readonly images: readonly ImageView[];
  readonly origin: { readonly file: string; readonly line: number } | null;
  readonly entryId: string | null;
}

export interface RowSection {
  readonly label: string;
  readonly text: string;
  /** The text was shortened; the rest can be seen in the session file. */
  readonly cut: boolean;
  /** `markdown` is shown with its structure, everything else verbatim. Nothing is rendered as HTML. */
  readonly tone: 'plain' | 'markdown' | 'code' | 'error' | 'quiet';
}

export interface ImageView {
  readonly mediaType: string;
  /** `data:` URI of a raster image; null if the session does not contain it or its type is not shown. */
  readonly source: string | null;
}

export interface CompactionView {
  /** `strata:<seq>` or `agent:<id>`. */
  readonly id: string;
  readonly by: 'strata' | 'agent';
  readonly seq: number | null;
  readonly strategy: string;
  readonly tag: string;
  /** Milliseconds since the epoch. */
  readonly time: number | null;
  /** Strata: tokens of the replaced entries and of the block. Agent: tokens of the whole context. */
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  readonly entryCount: number;
  readonly turnCount: number | null;
  /** Undone compactions stay in the list. */
  readonly active: boolean;
  /** Id of a later active compaction that replaced this one's block. */
  readonly beneath: string | null;
  readonly kept: number | null;
  readonly lost: number | null;
  /** How much of what matters its text keeps; null if unknown. */
  readonly mattersPercent: number | null;
  readonly summarizer: string | null;
  /** Its text was written without a model. */
  readonly withoutModel?: true;
  readonly durationMs: number | null;
  readonly displayLine: string | null;
  readonly trigger: 'manual' | 'automatic' | null;
  /** The agent's summary is encrypted, and only its provider can read it. */
  readonly opaque?: true;
  /** Tokens that the summarizer used; null if not reported. */
  readonly tokensSpent: { readonly input: number; readonly output: number } | null;
  /** Cached prompt tokens that the provider must read again. */
  readonly cacheTokensInvalidated: number | null;
  /** Number of lost artifacts that were put back into the summary. */
  readonly repaired: number;
  /** A person changed its text. */
  readonly edited: boolean;
  /** A person excluded single messages; nothing was summarized. */
  readonly excludes: boolean;
}

export interface CompactionDetail {
  readonly id: string;
  /** The replaced messages and the block as plain text. */
  readonly before: string;
  readonly after: string;
  readonly loss: LossView | null;
  /** The fate of each replaced entry, oldest first; only the newest of very many; empty if unknown. */
  readonly fates: readonly FateView[];
  /** The block's text without its tag if a person may edit it or put artifacts back; else null. */
  readonly editable: string | null;
  /** For the agent's newest compaction: what its context still lacks of it; null if that is nothing, or unknown. */
  readonly rescue: RescueView | null;
  /** For a compaction of the agent: what it read again after it; null if it read nothing, or unknown. */
  readonly rereading: Rereading | null;
  /** The text was changed, so the one before can be put back. */
  readonly hasEarlierText: boolean;
}

/** A block's text beside another one for the same entries. */
export interface RewritingView {
  /** Pass it to `keep-rewriting`. */
  readonly id: string;
  readonly before: WrittenTextView;
  readonly after: WrittenTextView;
  readonly tokensSpent: { readonly input: number; readonly output: number };
}

export interface WrittenTextView {
  readonly summarizer: string;
  readonly text: string;
  readonly tokens: number;
  readonly loss: LossView;
}

/** How much of one replaced entry a block keeps. */
export interface FateView {
  readonly entryId: string;
  readonly fate: 'kept' | 'paraphrased' | 'dropped';
  readonly kind: RowKind;
  /** One line of plain text. */
  readonly preview: string;
  readonly tokens: number;
}

export interface LossView {
  readonly groups: readonly LossGroup[];
  /** Number of unimportant names and numbers that are not listed. */
  readonly omitted?: { readonly kept: number; readonly lost: number };
  /** Absent if the replaced messages have nothing that matters but names. */
  readonly matters?: MattersView;
}

/** How much the block keeps of what later work needs. */
export interface MattersView {
  readonly percent: number;
  readonly kinds: readonly MatterGroup[];
}

export interface MatterGroup {
  readonly kind: MatterKind;
  /** Counts. */
  readonly kept: number;
  readonly total: number;
  /** The heaviest ones. */
  readonly lost: readonly LossItem[];
}

export interface LossGroup {
  readonly kind: ArtifactKind;
  readonly kept: readonly LossItem[];
  /** Not verbatim, but with most of the words. */
  readonly paraphrased: readonly LossItem[];
  readonly lost: readonly LossItem[];
}

export interface LossItem {
  readonly text: string;
  /** The entry it comes from. */
  readonly entryId: string | null;
}

export interface CoreView {
  readonly items: readonly CoreItem[];
  /** Events of each item by its id, oldest first. */
  readonly history: Readonly<Record<string, readonly CoreItemEvent[]>>;
  /** The person's first prompt in the session file. It needs no pin. */
  readonly originalGoal: OriginalGoal | null;
  /** The core's text in the current context; null if the core is empty. */
  readonly asserted: string | null;
  readonly tokens: number;
  /** Percent of the context window, with one decimal. */
  readonly sharePercent: number;
}

export interface StrategyView {
  readonly name: string;
  /** Heading that groups similar strategies. */
  readonly group: string;
  readonly title: string;
  readonly description: string;
}

/** The current summarizer. */
export interface SummarizerView {
  /** `No model (extractive)`, or the model's name. */
  readonly label: string;
  /** Where the replaced text is sent; null if it stays on this machine. */
  readonly destination: string | null;
  /** Whether a preview costs a model's tokens. */
  readonly usesModel: boolean;
}

/** Rows that a compaction may take, by the keys of rows that begin turns or of blocks over turns. */
export interface RowRange {
  /** The first row to take; null: from the beginning. */
  readonly from: string | null;
  /** The first row to keep; null: up to the age line. */
  readonly upTo: string | null;
}

/** One strategy of a comparison, from a dry run with the extractive summarizer. */
export interface ComparisonRow {
  readonly strategy: string;
  readonly title: string;
  /** Can be read and applied like any other preview; null if there was nothing to do. */
  readonly previewId: string | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly blocks: number;
  readonly durationMs: number;
  readonly namesKept: number;
  readonly namesLost: number;
  /** The person's sentences: constraints and directions. */
  readonly wordsKept: number;
  readonly wordsLost: number;
  readonly notes: readonly string[];
}

export interface PreviewView {
  /** Pass it to `apply-preview` to apply exactly what was shown. */
  readonly id: string;
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens of the protected core, which is told again. What the blocks save, less this, is what the context loses. */
  readonly tokensAdded: number;
  /** Of the context as it would then be. They add up to `tokensAfter`. */
  readonly byKindAfter: GaugeView['byKind'];
  readonly blocks: readonly PreviewBlock[];
  /** Sentences that say why there is nothing to do or what was left out. */
  readonly notes: readonly string[];
  /** Failed model calls, each with its reason. */
  readonly failures: readonly string[];
  /** The models that wrote it; null if none did. */
  readonly summarizer: string | null;
  readonly tokensSpent: { readonly input: number; readonly output: number };
  readonly cacheTokensInvalidated: number;
}

export interface PreviewBlock {
  readonly tag: string;
  readonly strategy: string;
  readonly reason: string;
  readonly turnCount: number;
  readonly entryCount: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly before: string;
  readonly after: string;
  readonly loss: LossView;
  /** The text without its tag, which can be edited before applying; null if the block has no own text. */
  readonly editable: string | null;
  readonly edited: boolean;
  /** Keys of the rows that the block would replace. */
  readonly leaving: readonly string[];
}

export interface SessionListItem {
  readonly agent: string;
  readonly agentName: string;
  readonly file: string;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly modified: number;
  readonly live: boolean;
  /** The newest branch of the folder's repository that the session names. */
  readonly branch?: string;
  /** The agent's own context, as its newest reply reported it; absent if unknown. */
  readonly fill?: FillView;
}

export interface FillView {
  readonly tokens: number;
  /** Of the model; the value of the setting if the model is unknown. */
  readonly window: number;
  /** Tokens after Strata's compactions, while they have not reached the agent; absent if there are none. */
  readonly after?: number;
}

/** The context size over the session, and how much of the first directions each compaction kept. */
export interface HistoryView {
  /** Oldest first, reduced to what a chart can show. */
  readonly points: readonly HistoryPoint[];
  readonly marks: readonly HistoryMark[];
  /** For each moment at which the context was complete, the index of its newest entry in the conversation. The last one is now. */
  readonly moments: readonly number[];
  /** Number of the person's directions in the first turns, on which drift is measured. */
  readonly directions: number;
}

export interface HistoryPoint {
  /** Index of the entry in the conversation, from 0. */
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly time: number | null;
  /** Tokens of the context after this entry. */
  readonly tokens: number;
  readonly turn: number;
}

/** One compaction on the chart. */
export interface HistoryMark {
  /** The compaction's id; for a run with several blocks, the last one's. */
  readonly id: string;
  readonly at: number;
  readonly before: number;
  readonly after: number;
  readonly tag: string;
  readonly active: boolean;
  /** How many of the first directions are verbatim, paraphrased and dropped. */
  readonly drift: { readonly kept: number; readonly paraphrased: number; readonly dropped: number } | null;
  /** What the context says of the original goal, of the goal at this time, and of the goal now; absent where it is unknown. */
  readonly goals?: GoalDrift;
}

/** A session that is being read and cannot be shown yet. */
export interface OpeningView {
  readonly file: string;
  /** Bytes on disk; null if unknown. */
  readonly size: number | null;
}

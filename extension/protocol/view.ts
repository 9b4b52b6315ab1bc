import type { ContextKind } from '../engine/conversation/context';
import type { CoreItem } from '../engine/core/core';
import type { CoreItemEvent } from '../engine/core/history';
import type { ArtifactKind } from '../engine/language/loss-report';

/** The webview takes nothing but types from the engine; this list of names reaches it through the contract. */
export { pinKinds } from '../engine/core/core';

/** What the panel shows of one session. Everything is ready to paint: the webview derives, it does not compute. */
export interface SessionView {
  /** Grows by one with every change. */
  readonly revision: number;
  readonly header: HeaderView;
  readonly gauge: GaugeView;
  readonly rows: readonly Row[];
  /** Only the newest rows are here; the earlier ones come with the next changes. */
  readonly earlierRowsFollow?: boolean;
  /** Rows from this key on are too young to be compacted; null when there are none. */
  readonly ageLineKey: string | null;
  /** Oldest first. */
  readonly compactions: readonly CompactionView[];
  readonly core: CoreView;
  /** What Undo and Redo would act on now; null when there is nothing. */
  readonly undo: { readonly label: string } | null;
  readonly redo: { readonly label: string } | null;
  readonly autoCompact: AutoCompactView;
  /** What the person should know and can do nothing wrong about: shown calmly, at most one of a kind. */
  readonly notices: readonly NoticeView[];
}

export interface AutoCompactView {
  readonly enabled: boolean;
  /** The context size in tokens at which it starts by itself; null where that goes by counts and ages. */
  readonly startsAt: number | null;
  /** Whether a part of the strategy goes by counts and ages, and can start before that size is reached. */
  readonly orEarlier: boolean;
}

export interface NoticeView {
  /**
   * `auto-compact-soon`: a compaction will start by itself before long. `auto-compact-stopped`: three calls in a row
   * failed. `many-compactions`: accuracy suffers. `core-large`: the core takes more than its share of the window.
   */
  readonly kind: 'auto-compact-soon' | 'auto-compact-stopped' | 'many-compactions' | 'core-large';
  readonly text: string;
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
  /** The session that started this one; its file is null where it is not found. */
  readonly parent: { readonly file: string | null } | null;
  /** Sessions that this one started; rows of the timeline lead to those whose calls are in the context. */
  readonly subagents: readonly SubagentView[];
  /** Records of the session file that are no part of the conversation, how many of each type. */
  readonly otherRecords: readonly { readonly type: string; readonly count: number }[];
  readonly writing: WritingView;
}

export interface SubagentView {
  readonly file: string;
  readonly title: string | null;
}

/** What Strata can write for the agent of this session. */
export interface WritingView {
  /** New sessions with the context as it is shown. */
  readonly fork: boolean;
  /** The compaction into the session itself, at present. */
  readonly inPlace: boolean;
  /** The agent has a command that goes on with the session. */
  readonly resume: boolean;
  /** Strata wrote this session; it can be put into the trash. */
  readonly isFork: boolean;
}

/** Something that could not be read, of the session file or of the journal. */
export interface IssueView {
  readonly file: string;
  /** 1-based; 0 when it is about the file as a whole. */
  readonly line: number;
  readonly message: string;
}

export interface GaugeView {
  readonly total: number;
  /** `counting`: the tokenizer is still at work, and lengths stand in for what it has not counted. */
  readonly source: 'reported' | 'estimated' | 'counting';
  /** Reported tokens per counted token, by which every figure is scaled; 1 where nothing was reported. */
  readonly calibration: number;
  readonly window: number;
  /** The window of this model is not known; the setting's value stands in for it. */
  readonly windowAssumed: boolean;
  /** Tokens kept free for the reply and the next summary. */
  readonly reserve: number;
  readonly byKind: Readonly<Record<ContextKind, number>>;
  /** Part of `byKind.system` that is derived from the first report, because the agent does not write it down. */
  readonly derivedSystem: number;
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

/** One line of the timeline. A reply with reasoning, text and two tool calls is four rows; a tool result shows with its call. */
export interface Row {
  /** Unique within the session and stable over its changes. */
  readonly key: string;
  readonly kind: RowKind;
  /** The number of the turn that this row opens; only on user rows. 1-based, counted within the context. */
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
  /** The argument that says most: a path, a command, a pattern. One line. */
  readonly subject: string;
  readonly outcome: 'ok' | 'error' | 'running';
  /** One line of the result. */
  readonly result: string;
  /** Its output was taken out by a compaction. */
  readonly pruned: boolean;
  /** The conversation that this call started, to open it by. */
  readonly subagent?: string;
}

export interface BlockView {
  readonly tag: string;
  readonly by: 'strata' | 'agent';
  /** The row of the compactions list that made this block. */
  readonly compactionId: string;
  readonly entryCount: number;
  readonly turnCount: number | null;
  readonly tokensBefore: number | null;
  /** Two sentences at most on what lies beneath; null where nobody made them. */
  readonly displayLine: string | null;
}

/** The whole of one row, read when a person opens it. */
export interface RowDetail {
  readonly sections: readonly RowSection[];
  readonly images: readonly ImageView[];
  readonly origin: { readonly file: string; readonly line: number } | null;
  readonly entryId: string | null;
}

export interface RowSection {
  readonly label: string;
  readonly text: string;
  /** The text was longer than what is shown here; the rest can be seen at its origin. */
  readonly cut: boolean;
  /** `markdown` is shown with its structure; everything else as it is written. Nothing ever becomes HTML. */
  readonly tone: 'plain' | 'markdown' | 'code' | 'error' | 'quiet';
}

export interface ImageView {
  readonly mediaType: string;
  /** `data:` URI of a raster image; null where the session does not hold it, or where it is not one that is shown. */
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
  /** Tokens of what it replaced and of what stands for it (Strata), or of the whole context (agent). */
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  readonly entryCount: number;
  readonly turnCount: number | null;
  /** Undone compactions stay in the list. */
  readonly active: boolean;
  /** The id of a later active compaction that this one's block lies beneath. */
  readonly beneath: string | null;
  readonly kept: number | null;
  readonly lost: number | null;
  readonly summarizer: string | null;
  readonly durationMs: number | null;
  readonly displayLine: string | null;
  readonly trigger: 'manual' | 'automatic' | null;
  /** The agent keeps its summary encrypted: nobody but its provider can read it. */
  readonly opaque?: true;
  /** What the summarizer used up; null where nobody tells. */
  readonly tokensSpent: { readonly input: number; readonly output: number } | null;
  /** Prompt tokens that a provider had cached and has to read anew. */
  readonly cacheTokensInvalidated: number | null;
  /** How many dropped artifacts were put back into the summary. */
  readonly repaired: number;
  /** A person changed its text. */
  readonly edited: boolean;
  /** A person took single messages out; nothing was summarised. */
  readonly excludes: boolean;
}

export interface CompactionDetail {
  readonly id: string;
  /** The replaced messages and the block as plain text. */
  readonly before: string;
  readonly after: string;
  readonly loss: LossView | null;
  /** What became of each replaced entry, oldest first, of very many the newest; empty where nobody can tell. */
  readonly fates: readonly FateView[];
  /** The block's text without its tag, where a person may change it or put something back into it; else null. */
  readonly editable: string | null;
}

/** What a block says of one entry that it replaced. */
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
  /** Names and numbers of little weight, besides those listed. */
  readonly omitted?: { readonly kept: number; readonly lost: number };
}

export interface LossGroup {
  readonly kind: ArtifactKind;
  readonly kept: readonly LossItem[];
  /** Not verbatim, but most of its words are there. */
  readonly paraphrased: readonly LossItem[];
  readonly lost: readonly LossItem[];
}

export interface LossItem {
  readonly text: string;
  /** Row or entry to lead back to. */
  readonly entryId: string | null;
}

export interface CoreView {
  readonly items: readonly CoreItem[];
  /** What happened to each item, by its id, oldest first. */
  readonly history: Readonly<Record<string, readonly CoreItemEvent[]>>;
  /** The person's first words, as far as the session file goes back. Always known, never pinned by hand. */
  readonly originalGoal: string | null;
  /** The text that stands in the context now; null while the core is empty. */
  readonly asserted: string | null;
  readonly tokens: number;
  /** Of the context window, in percent, with one decimal. */
  readonly sharePercent: number;
}

export interface StrategyView {
  readonly name: string;
  /** Strategies of one kind stand together. */
  readonly group: string;
  readonly title: string;
  readonly description: string;
}

/** What writes the summaries at present. */
export interface SummarizerView {
  /** `Extractive`, or the model's name. */
  readonly label: string;
  /** Where the replaced text is sent; null where it stays on the machine. */
  readonly destination: string | null;
  /** Whether a preview costs a model's tokens. */
  readonly usesModel: boolean;
}

/** Which rows a compaction may take, by the keys of rows that open turns, or of blocks over turns. */
export interface RowRange {
  /** The first row that may be taken; null: from the beginning. */
  readonly from: string | null;
  /** The first row that stays; null: up to the age line. */
  readonly upTo: string | null;
}

/** One strategy of a comparison: a dry run of it with the extractive summarizer. */
export interface ComparisonRow {
  readonly strategy: string;
  readonly title: string;
  /** Can be read and applied like any other preview; null where there was nothing to do. */
  readonly previewId: string | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly blocks: number;
  readonly durationMs: number;
  readonly namesKept: number;
  readonly namesLost: number;
  /** Sentences of the person: constraints and directions. */
  readonly wordsKept: number;
  readonly wordsLost: number;
  readonly notes: readonly string[];
}

export interface PreviewView {
  /** Hand it back to apply exactly what was shown. */
  readonly id: string;
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly blocks: readonly PreviewBlock[];
  /** Why there is nothing to do, or what was left out; plain sentences. */
  readonly notes: readonly string[];
  /** Calls of a model that failed while it was prepared; each names the call and says why. */
  readonly failures: readonly string[];
  readonly summarizer: string;
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
  /** The text without its tag, to be changed before it is applied; null where the block has none of its own. */
  readonly editable: string | null;
  readonly edited: boolean;
}

export interface SessionListItem {
  readonly agent: string;
  readonly agentName: string;
  readonly file: string;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly modified: number;
  readonly live: boolean;
}

/** The size of the context over the time of the session, and what every compaction left of the first directions. */
export interface HistoryView {
  /** Oldest first, thinned out to what a chart can show. */
  readonly points: readonly HistoryPoint[];
  readonly marks: readonly HistoryMark[];
  /** How many directions the person gave in the first turns: what the drift is measured on. */
  readonly directions: number;
}

export interface HistoryPoint {
  /** Number of the entry in the conversation, from 0. */
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly time: number | null;
  /** Tokens of the context after this entry. */
  readonly tokens: number;
  readonly turn: number;
}

/** One compaction on the chart. */
export interface HistoryMark {
  /** The compaction's id in the list; of several blocks of one run, that of the last. */
  readonly id: string;
  readonly at: number;
  readonly before: number;
  readonly after: number;
  readonly tag: string;
  readonly active: boolean;
  /** Of the first directions: how many still stand verbatim, and how many in other words. */
  readonly drift: { readonly kept: number; readonly paraphrased: number; readonly dropped: number } | null;
}

/** A session that is being read; there is nothing to show of it yet. */
export interface OpeningView {
  readonly file: string;
  /** Bytes on disk; null where that is not known. */
  readonly size: number | null;
}

import type { TokenKind } from '../../engine/conversation/context';
import type { CoreItem } from '../../engine/core/core';
import type { CoreItemEvent } from '../../engine/core/items';
import type { OriginalGoal } from '../../engine/journal/overlay';
import type { CompactionView, RescueView } from './compactions';
import type { Row } from './rows';

/** Everything that the panel shows of one session. Ready to paint: the webview derives state and computes nothing. */
export interface SessionView {
  /** Increases by one with every change. */
  readonly revision: number;
  readonly header: HeaderView;
  /** The context as the rows show it. */
  readonly gauge: GaugeView;
  /** Pieces that add up to the gauge's system tokens. */
  readonly system: readonly SystemPiece[];
  /** The agent's present context, if it differs from what is shown; else null. */
  readonly inAgent: GaugeView | null;
  /** The moment of gauges, rows and core; null: now. */
  readonly past: PastView | null;
  readonly effect: EffectView;
  readonly effectSentences: EffectSentences;
  readonly rows: readonly Row[];
  /** `rows` has only the newest rows. The earlier ones follow in the next changes. */
  readonly earlierRowsFollow?: boolean;
  /** Rows from this key on are too new to be compacted; null if there are none. */
  readonly ageLineKey: string | null;
  /** Oldest first. */
  readonly compactions: readonly CompactionView[];
  readonly core: CoreView;
  /** The targets of Undo and Redo; null if there is none. */
  readonly undo: { readonly label: string } | null;
  readonly redo: { readonly label: string } | null;
  readonly autoCompact: AutoCompactView;
  /** Items that the agent forgot when it compacted by itself, while they are news; null if there are none. */
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
  /** Time of the newest entry then, in milliseconds since the epoch. */
  readonly time: number | null;
  /** The last event: a message, or a compaction, an undo or a change of the core in Strata. */
  readonly after: 'message' | 'record';
}

/** Where compactions of the session take effect (`Effect` in `extension/inspection/effect.ts`). */
export type EffectView = 'next-request' | 'next-compaction' | 'when-asked' | 'new-session' | 'nowhere';

/** The effects of compactions and pins on the agent, as sentences. */
export interface EffectSentences {
  readonly compaction: string;
  readonly pins: string;
  /** Strata can be set up in the agent but is not; setting it up would change the sentences. */
  readonly canSetUp: boolean;
}

export interface AutoCompactView {
  /** False also where it would not reach the agent. */
  readonly enabled: boolean;
  /** Whether it can be on for this session: an automatic compaction would reach the agent. */
  readonly isPossible: boolean;
  /** The server of the conversation compacts it, by settings that are not known here. */
  readonly isElsewhere?: true;
  /** Context size in tokens at which Strata compacts; null if it does not, or if only counts and ages of messages start it. */
  readonly startsAt: number | null;
  /** Whether counts and ages of messages can start a compaction below that size. */
  readonly orEarlier: boolean;
  /** Null if it starts by size. Otherwise `startsAt` is null. */
  readonly schedule: ScheduleView | null;
  /** When the agent compacts by itself; absent if it is not known. */
  readonly byAgent?: AgentThresholdView;
}

/** The size at which an agent compacts by itself. */
export interface AgentThresholdView {
  readonly agentName: string;
  /** Null if it does not. */
  readonly tokens: number | null;
  /** How the size is known, in two or three words. */
  readonly source: string;
  /** How the size is known, as a sentence. */
  readonly reason: string;
}

/** Automatic compaction by cost. */
export interface ScheduleView {
  /** Why it starts or waits, as a sentence. */
  readonly reason: string;
  /** It starts before the next message. */
  readonly isNext: boolean;
}

export interface NoticeView {
  /**
   * `store-unreachable`: the store of the conversation cannot be read now. `not-in-agent`: the agent continues with
   * another context than the shown one. `in-effect`: the next request is sent with the newest compaction.
   * `auto-compact-soon`: an automatic compaction will start soon. `auto-compact-stopped`: three model calls failed in a
   * row. `many-compactions`: accuracy suffers. `core-large`: the core exceeds its share of the window.
   */
  readonly kind:
    | 'store-unreachable'
    | 'not-in-agent'
    | 'in-effect'
    | 'auto-compact-soon'
    | 'auto-compact-stopped'
    | 'many-compactions'
    | 'core-large';
  readonly text: string;
}

export interface HeaderView {
  readonly agent: string;
  readonly agentName: string;
  readonly id: string;
  readonly file: string;
  /** Present for a conversation that is in a store and not in a file. */
  readonly store?: StoreView;
  readonly cwd: string | null;
  readonly title: string | null;
  readonly model: string | null;
  readonly live: boolean;
  readonly issues: readonly IssueView[];
  /** The session that started this one. `file` is null if it was not found. */
  readonly parent: { readonly file: string | null } | null;
  /** The session that this one continues; `file` is null if it was not found. */
  readonly predecessor: PredecessorView | null;
  /** The forks that Strata wrote of it, oldest first. */
  readonly forks: readonly SubagentView[];
  /** Sessions that this one started. Timeline rows link to those whose calls are in the context. */
  readonly subagents: readonly SubagentView[];
  /** Number of records of each type in the session file that are not part of the conversation. */
  readonly otherRecords: readonly { readonly type: string; readonly count: number }[];
  readonly writing: WritingView;
}

export interface PredecessorView {
  readonly file: string | null;
  readonly title: string | null;
  /** Strata wrote this session as a fork of it. */
  readonly isOriginal: boolean;
}

export interface StoreView {
  /** The store, without secrets. */
  readonly place: string;
  readonly tenant: string | null;
  /** The key that its agent gave the conversation, or its id. */
  readonly name: string;
}

export interface SubagentView {
  readonly file: string;
  readonly title: string | null;
}

/** Sessions that Strata can write for this session's agent. */
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
  /** The estimated part of `total`: the messages since the agent's report; without a report, all of it. */
  readonly countedSince: number;
  /** Reported tokens per counted token. All figures are scaled by it; 1 if nothing was reported. */
  readonly calibration: number;
  readonly window: number;
  /** The model's window is unknown, so the value of the setting is used. */
  readonly windowAssumed: boolean;
  /** Absent if the window is the model's usual one. */
  readonly windowShownBy?: WindowEvidenceView;
  /** Tokens kept free for the reply and the next summary. */
  readonly reserve: number;
  readonly byKind: Readonly<Record<TokenKind, number>>;
  /** System tokens the agent sends but does not log; derived from the first reported usage. Part of `byKind.system`. */
  readonly derivedSystem: number;
  /** The problem with the size; null if there is none. */
  readonly alarm: GaugeAlarm | null;
}

/** The evidence that the agent works with this window. */
export interface WindowEvidenceView {
  /** In a few words. */
  readonly source: string;
  /** As a sentence. */
  readonly reason: string;
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
  /** Its file, if it is not in the session file. */
  readonly file?: string;
  /** Estimated from the length of its file as it is now. */
  readonly isEstimate?: true;
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

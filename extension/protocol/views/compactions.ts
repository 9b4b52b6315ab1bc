import type { LossReport, VerbatimFate } from '../../engine/block/loss';
import type { Rereading } from '../../engine/history/rereading';
import type { Forgotten, ForgottenKind } from '../../engine/prompts/forgotten-prompt';
import type { RowKind } from './rows';

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
  /** What the context that resulted has of what was replaced, in one line; null if unknown. */
  readonly lossText: string | null;
  readonly summarizer: string | null;
  readonly durationMs: number | null;
  readonly displayLine: string | null;
  readonly trigger: 'manual' | 'automatic' | null;
  /** Strata wrote it into this fork: it is what the agent began with, and cannot be undone here. */
  readonly inFork?: true;
  /** The agent's summary is encrypted, and only its provider can read it. */
  readonly opaque?: true;
  /** Tokens that the summarizer used; null if not reported. */
  readonly tokensSpent: { readonly input: number; readonly output: number } | null;
  /** Cached prompt tokens that the provider must read again. */
  readonly cacheTokensInvalidated: number | null;
  /** Number of lines that the guard appended. */
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
  readonly loss: LossView | null;
}

/** How much of one replaced entry a block keeps. */
export interface FateView {
  readonly entryId: string;
  readonly fate: VerbatimFate;
  readonly kind: RowKind;
  /** One line of plain text. */
  readonly preview: string;
  readonly tokens: number;
}

/** The report, with its tokens in the unit of the context, and its sum in one line. */
export interface LossView extends LossReport {
  readonly text: string;
}

/** What the agent's newest compaction by itself dropped and its context still lacks. */
export interface RescueView {
  readonly compactionId: string;
  /** `2 of your messages, 1 changed file` */
  readonly summary: string;
  readonly groups: readonly ForgottenGroup[];
  /** Counted tokens of the prompt with all items. */
  readonly promptTokens: number;
}

export interface ForgottenGroup {
  readonly kind: ForgottenKind;
  readonly items: readonly Forgotten[];
}

import type { Rereading } from '../../engine/history/rereading';
import type { Forgotten, ForgottenKind } from '../../engine/language/forgotten';
import type { ArtifactKind, MatterKind } from '../../engine/language/loss-report';
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
  readonly kept: number | null;
  readonly lost: number | null;
  /** How much of what matters its text keeps; null if unknown. */
  readonly mattersPercent: number | null;
  readonly summarizer: string | null;
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

import type { LossReport, VerbatimFate } from '../../engine/block/loss';
import type { Rereading } from '../../engine/history/rereading';
import type { Forgotten, ForgottenKind } from '../../engine/prompts/forgotten-prompt';
import type { RowKind } from './rows';

/** One entry of the list: a run of Strata, or a compaction by the agent itself. */
export interface CompactionView {
  /** `run:<number>` or `agent:<id>`. */
  readonly id: string;
  readonly by: 'strata' | 'agent';
  /** The number of a run: the seq of its first block. */
  readonly seq: number | null;
  /** The chosen strategy. For a run in a journal of an earlier version, the strategies of its blocks. */
  readonly strategies: readonly string[];
  /** The tags of the blocks in the context, or else of those that the run made; each once. */
  readonly tags: readonly string[];
  /** Milliseconds since the epoch. */
  readonly time: number | null;
  /** Tokens of the whole context right before and after it; null if unknown. */
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  /** Messages that it replaced. */
  readonly entryCount: number;
  /** Undone runs stay in the list. */
  readonly active: boolean;
  /** Id of the later run whose blocks cover all of this one. */
  readonly coveredBy: string | null;
  /** One line that says what the resulting context still has of the replaced messages; null if that is unknown. */
  readonly lossText: string | null;
  readonly summarizers: readonly string[];
  readonly durationMs: number | null;
  readonly trigger: 'manual' | 'automatic' | null;
  /** Strata wrote it into this fork. The agent began with it, and it cannot be undone here. */
  readonly inFork?: true;
  /** The agent's summary is encrypted, and only its provider can read it. */
  readonly opaque?: true;
  /** Tokens that the summarizer used; null if not reported. */
  readonly tokensSpent: { readonly input: number; readonly output: number } | null;
  /** Cached prompt tokens that the provider must read again. */
  readonly cacheTokensInvalidated: number | null;
  /** Number of lines that the guard appended. */
  readonly repaired: number;
  /** A person changed the text of a block. */
  readonly edited: boolean;
  /** A person excluded single messages; nothing was summarized. */
  readonly excludes: boolean;
  /** How the context contains a run; null for a compaction of the agent, and if all of it is undone. */
  readonly inContext: BlocksView | null;
  /** The blocks of a run, in the order of the context; covered blocks come last. Empty for a compaction of the agent. */
  readonly blocks: readonly RunBlockView[];
}

/** How the context contains, or would contain, the blocks of a run. */
export interface BlocksView {
  /** Blocks that the model reads. */
  readonly blocks: number;
  /** Tool outputs that one line each replaces. */
  readonly outputs: number;
  /** Blocks that lie beneath others: the model does not read them. */
  readonly beneath: number;
}

export interface RunBlockView {
  /** `strata:<seq>` */
  readonly id: string;
  readonly seq: number;
  readonly strategy: string;
  readonly tag: string;
  /** Tokens of the messages that it replaced, as they were in the context before the run, and of the block. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly entryCount: number;
  readonly turnCount: number | null;
  /** `covered`: other blocks replace it, so the context does not have it; in an undone run, other blocks of the same run. */
  readonly place: 'context' | 'covered' | 'undone';
  readonly summarizer: string;
  readonly displayLine: string | null;
  readonly edited: boolean;
}

/** Detail of an agent's compaction, of a block, or of a run. A run of several blocks has no texts, because its blocks have them. */
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
  /** For the agent's newest compaction: what its context still lacks; null if it lacks nothing, or if that is unknown. */
  readonly rescue: RescueView | null;
  /** For a compaction of the agent: what it read again after it; null if it read nothing, or unknown. */
  readonly rereading: Rereading | null;
  /** The text was changed, so the one before can be put back. */
  readonly hasEarlierText: boolean;
}

/** A block's text next to another one for the same entries. */
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

/** The report, with its tokens in the unit of the context, and a summary in one line. */
export interface LossView extends LossReport {
  readonly text: string;
}

/** Items that the agent forgot at its newest compaction by itself, and that its context still lacks. */
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

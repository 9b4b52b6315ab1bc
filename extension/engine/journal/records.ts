import type { LossReport } from '../block/loss';
import type { Memory } from '../block/memory';
import type { Parameters } from '../block/plan';
import type { Span } from '../block/summary';
import type { CoreItem, CoreItemStatus } from '../core/core';

/** Increased when an older version of Strata could misread the journal. */
export const journalVersion = 5;

interface RecordBase {
  /** 0 for the first header; increases by one with each record. */
  readonly seq: number;
  /** ISO 8601. */
  readonly time: string;
}

/** The first line: the session that the journal belongs to. A further one stands in for one that was damaged. */
interface HeaderRecord extends RecordBase {
  readonly kind: 'header';
  readonly version: number;
  readonly session: SessionIdentity;
}

/** From here on the journal needs a reader of this version. */
interface VersionRecord extends RecordBase {
  readonly kind: 'version';
  readonly version: number;
}

export interface SessionIdentity {
  readonly agent: string;
  readonly id: string;
  readonly file: string;
}

/** One block over older entries, with everything needed to show, judge and undo it. */
export interface CompactionRecord extends RecordBase {
  readonly kind: 'compaction';
  /** The seq of the first record of the run. A run is undone as a whole. */
  readonly run: number;
  /** Number of records of the run. The journal contains all of them or none. */
  readonly runLength: number;
  readonly strategy: string;
  readonly parameters: Parameters;
  readonly trigger: 'manual' | 'automatic';
  readonly instructions: string | null;
  /** The summarizer, or the strategy that wrote the text itself. */
  readonly summarizer: { readonly name: string; readonly model: string | null };
  /** SHA-256 of the prompt; null without a prompt. */
  readonly promptHash: string | null;
  readonly summaryType: string;
  readonly turnCount: number;
  /** All entries beneath the block, including those beneath swallowed blocks, oldest first. */
  readonly entryIds: readonly string[];
  /** The seqs of the blocks that this one swallowed. */
  readonly swallowed: readonly number[];
  /** Counted tokens of the replaced messages, and of the block. */
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens used by the summarizer. */
  readonly tokensSpent: { readonly input: number; readonly output: number };
  readonly durationMs: number;
  /** Starts with the tag. */
  readonly text: string;
  /** Texts of single tool results, by the id of their entry. Since version 4. */
  readonly resultTexts?: Readonly<Record<string, string>>;
  readonly spans: readonly Span[];
  /** Says what remains of these entries in the context after the run. Null in records of earlier versions. */
  readonly loss: LossReport | null;
  /** At most two sentences for the timeline, independent of the block's text. Absent in journals of version 1. */
  readonly displayLine?: string;
  /** The part of the strategy that made the block, for a strategy that makes several kinds. */
  readonly tier?: string;
  /** Absent: `first`. */
  readonly place?: 'first' | 'last';
  /** Only for policies. */
  readonly entriesSummarized?: number;
  /** Lines that the guard appended. */
  readonly repaired?: readonly string[];
  /** A person changed the text, before or after it was applied. */
  readonly edited?: true;
  /** Absent: effective in Strata and in forks. `agent`: the agent itself continues with it. */
  readonly effect?: 'agent';
  /** The newest entry in the agent's context at that time. */
  readonly newestEntryId?: string;
  /**
   * Tokens of the messages from the first replaced one on, as last sent. The provider's prompt cache no longer covers
   * them.
   */
  readonly cacheTokensInvalidated?: number;
  /** Tokens of the whole context before and after the run. */
  readonly contextTokens?: { readonly before: number; readonly after: number };
  /** The first record of a run has the facts about the whole run. Records of earlier versions lack it. */
  readonly wholeRun?: WholeRun;
  /** Notes and observations of a memory strategy about the replaced entries. */
  readonly memory?: Memory;
}

/** Facts about a run as a whole. */
interface WholeRun {
  /** The strategy that was chosen. The records name the strategies of its steps. */
  readonly strategy: string;
  /** Tokens of all calls, rejected summaries included. */
  readonly tokensSpent: { readonly input: number; readonly output: number };
  /** The report covers all that the run replaced. It is absent if there is one block, because the loss is that block's. */
  readonly loss?: LossReport;
}

interface UndoRecord extends RecordBase {
  readonly kind: 'undo';
  readonly compactions: readonly number[];
}

interface RedoRecord extends RecordBase {
  readonly kind: 'redo';
  readonly compactions: readonly number[];
}

export interface PinRecord extends RecordBase {
  readonly kind: 'pin';
  readonly item: CoreItem;
}

interface CoreChangeRecord extends RecordBase {
  readonly kind: 'core-change';
  readonly itemId: string;
  readonly status: CoreItemStatus;
}

/** A person changed the text of a core item. */
interface CoreEditRecord extends RecordBase {
  readonly kind: 'core-edit';
  readonly itemId: string;
  readonly text: string;
  readonly rationale: string | null;
}

/** A person reordered core items of one kind. */
interface CoreOrderRecord extends RecordBase {
  readonly kind: 'core-order';
  readonly itemIds: readonly string[];
}

/** A person changed the text of a block, or had it rewritten. The compaction record is unchanged. */
export interface EditRecord extends RecordBase {
  readonly kind: 'edit';
  /** The seq of the compaction record. */
  readonly compaction: number;
  /** Starts with the tag. */
  readonly text: string;
  readonly tokensAfter: number;
  /** The loss with this text. */
  readonly loss: LossReport | null;
  /** Present if no person wrote the text: it was rewritten, or an earlier text was restored. */
  readonly writing?: Writing;
}

/** How the text of a block was made. */
export type Writing = Pick<
  CompactionRecord,
  'summarizer' | 'promptHash' | 'tokensSpent' | 'durationMs' | 'spans' | 'repaired' | 'edited'
>;

/** A run that was written before a compaction needs it. It changes nothing until a compaction takes it. */
export interface PreparedRecord extends RecordBase {
  readonly kind: 'prepared';
  readonly strategy: string;
  /**
   * Their seqs are those they would have if they followed this record. Empty if the writer failed; the tokens that it spent count anyway.
   */
  readonly records: readonly CompactionRecord[];
  /** The model of the conversation at that time; null if unknown. */
  readonly model: string | null;
  /** Size of the context that it was prepared for, in tokens. */
  readonly contextTokens: number;
  /** Tokens used by the writer, including those for rejected blocks. */
  readonly tokensSpent: { readonly input: number; readonly output: number };
}

export type JournalRecord =
  | HeaderRecord
  | VersionRecord
  | CompactionRecord
  | PreparedRecord
  | EditRecord
  | UndoRecord
  | RedoRecord
  | PinRecord
  | CoreChangeRecord
  | CoreEditRecord
  | CoreOrderRecord;

import type { BlocksView, LossView } from './compactions';
import type { GaugeView } from './session';

export interface StrategyView {
  readonly name: string;
  /** Heading that groups similar strategies. */
  readonly group: string;
  readonly title: string;
  readonly description: string;
  /** Offered without asking for all strategies. */
  readonly usual?: true;
}

/** The current summarizer. */
export interface SummarizerView {
  /** `No model`, or the model's name. */
  readonly label: string;
  /** Where the replaced text is sent; null if it stays on this machine. */
  readonly destination: string | null;
  /** Whether a preview costs a model's tokens. */
  readonly usesModel: boolean;
  /** Whether the person has said who writes. If not, they are asked at the first preview, and no model writes until then. */
  readonly isChosen: boolean;
}

/** One answer to the question who writes. */
export interface WriterOfferView {
  readonly id: string;
  readonly label: string;
  /** Its cost, and where the text goes. */
  readonly costs: string;
  readonly goes: string;
}

/** Rows that a compaction may take, by the keys of rows that begin turns or of blocks over turns. */
export interface RowRange {
  /** The first row to take; null: from the beginning. */
  readonly from: string | null;
  /** The first row to keep; null: up to the age line. */
  readonly upTo: string | null;
}

/** One strategy of a comparison, from a dry run without a model or from a run by the chosen one. */
export interface ComparisonRow {
  readonly strategy: string;
  readonly title: string;
  /** A preview that can be read and applied; null if there was nothing to do. */
  readonly previewId: string | null;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly blocks: number;
  readonly durationMs: number;
  /** The person's messages that are word for word in the resulting context, and those that are not. */
  readonly messagesWhole: number;
  readonly messagesNotWhole: number;
  /** Changed files that it still names, and those that it does not. */
  readonly filesNamed: number;
  readonly filesUnnamed: number;
  readonly notes: readonly string[];
  /** Failed model calls, each with its reason. */
  readonly failures: readonly string[];
  /** The models that wrote it; null if none did. */
  readonly summarizer: string | null;
  readonly tokensSpent: { readonly input: number; readonly output: number };
}

/** Tokens that the chosen model would read and write for one strategy of a comparison, to the target for a model. */
export interface WritingCostView {
  readonly maxInput: number;
  /** An estimate, from the run without a model. */
  readonly output: number;
  /** `about $0.07 at list prices of …`; null if the price is not known. */
  readonly price: string | null;
}

export interface PreviewView {
  /** Pass it to `apply-preview` to apply exactly what was shown. */
  readonly id: string;
  readonly strategy: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens of the protected core, which is added again. The context shrinks by the savings of the blocks less this. */
  readonly tokensAdded: number;
  /** Tokens of the compacted context by kind. They add up to `tokensAfter`. */
  readonly byKindAfter: GaugeView['byKind'];
  /** How the context would contain the blocks. */
  readonly inContext: BlocksView;
  /** In the order in which they were made. */
  readonly blocks: readonly PreviewBlock[];
  /** The loss of all blocks together; null if they replace nothing that the report covers. */
  readonly loss: LossView | null;
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
  /** The loss of this block, in the context of the whole run. */
  readonly loss: LossView | null;
  /** The model that wrote it; null if none did. */
  readonly summarizer: string | null;
  /** The tokens that the model used for this block. */
  readonly tokensSpent: { readonly input: number; readonly output: number };
  /** The text without its tag, which can be edited before applying; null if the block has no own text. */
  readonly editable: string | null;
  readonly edited: boolean;
  /** Keys of the rows that the block would replace; for a block beneath another one, the other block has them. */
  readonly leaving: readonly string[];
  /** A later block of the run covers it, so the model would not read it. */
  readonly isBeneath: boolean;
}

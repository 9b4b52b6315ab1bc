/** A block in the context, made by one of Strata's compactions. */
export interface Block {
  /** The sequence number of its journal record. */
  readonly seq: number;
  readonly strategy: string;
  /** The part of the strategy that made it, if the strategy makes several kinds: `old`, `medium`, `level-2`. */
  readonly tier: string | null;
  readonly metadata: BlockMetadata;
}

/** The metadata of a block. The keys are exact (docs/specification.md, "Block format"). */
export interface BlockMetadata {
  readonly summarized: true;
  /** The kind of block: `tool_call_batch`, `conversation`, `goal_batch`, or the type that another strategy names. */
  readonly summary_type: string;
  readonly turn_count: number;
  /** Only for policies: how many history entries the block stands for. */
  readonly entries_summarized?: number;
}

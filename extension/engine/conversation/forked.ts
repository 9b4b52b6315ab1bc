import type { Block } from './block';

/** A block that Strata wrote into a fork, as the journal of the original had it. */
export interface ForkedBlock extends Block {
  /** The seq of the first record of its run in that journal. */
  readonly run: number;
  /** The entries beneath it, oldest first. The fork has them as well. */
  readonly entryIds: readonly string[];
  /** Counted. */
  readonly tokensBefore: number;
  readonly displayLine: string | null;
}

/** The context that Strata wrote into a fork. It holds until the agent compacts it. */
export interface ForkedContext {
  /** The agent's record by which the context was written; null if its format has no such record. */
  readonly compactionId: string | null;
  /** Its messages, oldest first. */
  readonly entryIds: readonly string[];
  /** How many entries the conversation had when it was written. No usage reported before is about this context. */
  readonly entryCount: number;
  /** Predicted size in the provider's unit. */
  readonly tokens: number;
  /** The original's calibration, used until the fork's first reply reports its usage. */
  readonly calibration: KnownCalibration;
}

/** How tokens in the provider's unit are made from counted ones. */
export interface KnownCalibration {
  /** Reported tokens per counted token. */
  readonly ratio: number;
  /** Tokens that the agent sends but that are in no entry. A whole number. */
  readonly derived: number;
  readonly remainder: Remainder | null;
}

/** Tokens of a session's first reported request that are in no entry. */
export interface Remainder {
  readonly tokens: number;
  /** It also contains messages that are not in the file; a summary by the agent covers them. */
  readonly hasEarlier: boolean;
}

import type { Estimate } from '../../../extension/evaluation/measure/report';

/** The contribution of one boundary to the estimates. */
export interface FoundAt {
  readonly project: string;
  /** Numbers of names and directions that were needed. */
  readonly names: number;
  readonly messages: number;
  /** Published algorithms with an equal number of tokens. */
  readonly peers: readonly PeerWay[];
  /** Compactions that were prepared here and carried out later. */
  readonly shadow: readonly ShadowWay[];
  /** The default strategy in several sizes. */
  readonly sizes: readonly SizeLeft[];
}

/** The shares that the default strategy keeps in one size. */
export interface SizeLeft {
  /** Share of the tokens of what is replaced. */
  readonly share: number;
  readonly tokens: number;
  /** Numbers of names and directions that were needed and are kept. */
  readonly names: number;
  readonly messages: number;
}

export interface SizeCell {
  readonly share: number;
  /** Null if nothing was needed. */
  readonly names: Estimate | null;
  readonly messages: Estimate | null;
  /** The mean. */
  readonly tokens: number;
}

/**
 * How many of the names that later work needed are kept by a compaction that was prepared some steps before it is
 * carried out.
 */
export interface ShadowWay {
  readonly strategy: string;
  /** Number of the agent's replies between the two. */
  readonly steps: number;
  /**
   * `at once`: as it was prepared. `repaired`: changed by what the steps used. `with names`: with as many tokens of the
   * names that earlier work used most. `anew`: written when it is carried out.
   */
  readonly way: 'at once' | 'repaired' | 'with names' | 'anew';
  /** Numbers of names that are kept and that were needed. */
  readonly names: number;
  readonly needed: number;
  /** Tokens of block and steps together. */
  readonly tokens: number;
}

export interface ShadowCell extends Pick<ShadowWay, 'strategy' | 'steps' | 'way' | 'tokens'> {
  readonly names: Estimate;
  /** Differences from `at once` and from `with names`, which both need no waiting; paired by boundary. */
  readonly overAtOnce: Estimate;
  readonly overNames: Estimate;
}

/** The shares that a published algorithm keeps in a quarter of the replaced tokens. */
export interface PeerWay {
  readonly way: string;
  readonly tokens: number;
  readonly isWithinBudget: boolean;
  /** Numbers of names and directions that were needed and are kept. */
  readonly names: number;
  readonly messages: number;
}

export interface PeerCell {
  readonly way: string;
  /**
   * Means over the boundaries at which it fits and something was needed; null if there are none. Bootstrap over
   * projects.
   */
  readonly names: Estimate | null;
  readonly messages: Estimate | null;
  readonly tokens: number;
  readonly overBudget: number;
  readonly boundaries: number;
}

import type { Estimate } from '../../../extension/evaluation/measure/report';

/** What one boundary adds to the estimates. */
export interface FoundAt {
  readonly project: string;
  /** Numbers of what was needed. */
  readonly names: number;
  readonly messages: number;
  /** Published algorithms at equal tokens. */
  readonly peers: readonly PeerWay[];
  /** Compactions prepared here and carried out later. */
  readonly shadow: readonly ShadowWay[];
  /** The default strategy in several sizes. */
  readonly sizes: readonly SizeLeft[];
}

/** What the default strategy holds in one size. */
export interface SizeLeft {
  /** Of the tokens of what is replaced. */
  readonly share: number;
  readonly tokens: number;
  /** Numbers of what was needed and is held. */
  readonly names: number;
  readonly messages: number;
}

export interface SizeCell {
  readonly share: number;
  /** Null where nothing was needed. */
  readonly names: Estimate | null;
  readonly messages: Estimate | null;
  /** Mean. */
  readonly tokens: number;
}

/** What a compaction that was prepared some steps before it is carried out keeps of the names that the work after it needed. */
export interface ShadowWay {
  readonly strategy: string;
  /** Replies of the agent between the two. */
  readonly steps: number;
  /**
   * `at once`: as it was prepared. `repaired`: by what the steps used. `with names`: with as many tokens of the names that the work
   * before used most. `anew`: made when it is carried out.
   */
  readonly way: 'at once' | 'repaired' | 'with names' | 'anew';
  /** Numbers of names kept and needed. */
  readonly names: number;
  readonly needed: number;
  /** Of block and steps. */
  readonly tokens: number;
}

export interface ShadowCell extends Pick<ShadowWay, 'strategy' | 'steps' | 'way' | 'tokens'> {
  readonly names: Estimate;
  /** To `at once` and to `with names`, which both need no waiting; paired by boundary. */
  readonly overAtOnce: Estimate;
  readonly overNames: Estimate;
}

/** What a published algorithm keeps in a quarter of the tokens of what is replaced. */
export interface PeerWay {
  readonly way: string;
  readonly tokens: number;
  readonly isWithinBudget: boolean;
  /** Numbers of what was needed and is kept. */
  readonly names: number;
  readonly messages: number;
}

export interface PeerCell {
  readonly way: string;
  /** Means of the boundaries where it fits and something was needed; null if there are none. Bootstrap over projects. */
  readonly names: Estimate | null;
  readonly messages: Estimate | null;
  readonly tokens: number;
  readonly overBudget: number;
  readonly boundaries: number;
}

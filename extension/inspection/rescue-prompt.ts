import type { AgentCompaction } from '../engine/conversation/conversation';
import type { PinKind } from '../engine/core/core';
import type { Forgotten } from '../engine/language/forgotten';

/** What the agent's newest compaction of its own dropped and its context still lacks. */
export interface Rescue {
  readonly compaction: AgentCompaction;
  /** In the order of the prompt; never empty. */
  readonly forgotten: readonly Forgotten[];
  /** The forgotten items as a prompt for the agent. */
  readonly prompt: string;
  /** Counted tokens of the prompt. */
  readonly tokens: number;
  /** The items that belong in the protected core. */
  readonly pinnable: readonly Pinnable[];
}

/** A forgotten item that can be pinned into the protected core. */
export interface Pinnable {
  readonly kind: PinKind;
  /** Verbatim except for white space. */
  readonly text: string;
  readonly entryId: string;
}

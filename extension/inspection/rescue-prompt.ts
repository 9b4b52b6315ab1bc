import type { AgentCompaction } from '../engine/conversation/conversation';
import type { Forgotten } from '../engine/prompts/forgotten-prompt';

/** Facts that the agent's newest compaction dropped and that its context still lacks. */
export interface Rescue {
  readonly compaction: AgentCompaction;
  /** In the order of the prompt; never empty. */
  readonly forgotten: readonly Forgotten[];
  /** The forgotten items as a prompt for the agent. */
  readonly prompt: string;
  /** Counted tokens of the prompt. */
  readonly tokens: number;
}

import type { ToolsOutcome } from '../conversations/compaction/settings';

/** Who writes the blocks of sessions in agents, by the person's choice. */
export type ChosenWriter =
  /** The person was not asked yet: the agent's own model writes, as it would without Strata. */
  | { readonly kind: 'unanswered' }
  /** The person wants no model: blocks are made without one. */
  | { readonly kind: 'nobody' }
  /** A model, if it can be used now. */
  | { readonly kind: 'model'; readonly tools: () => Promise<ToolsOutcome> };

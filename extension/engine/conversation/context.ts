import type { Part, Role } from './entry';

/** What a message is in the window. The first group is never summarised, the second stands in for older entries. */
export const contextKinds = [
  'system',
  'core',
  'goal_batch',
  'summary',
  'user',
  'assistant',
  'tool_call',
  'tool_result',
] as const;

export type ContextKind = (typeof contextKinds)[number];

/** The metadata of a block, exactly the keys of ADR 40, ADR 41 and the policies seed. */
export interface BlockMetadata {
  readonly summarized: true;
  readonly summary_type: SummaryType;
  readonly turn_count: number;
}

/** `tool_call_batch` and `conversation` are the summaries of ADR 40, `goal_batch` that of ADR 41. */
export type SummaryType = 'tool_call_batch' | 'conversation' | 'goal_batch';

/** The line a block begins with, by its type. */
export const blockTags: Readonly<Record<SummaryType, string>> = {
  tool_call_batch: '[SUMMARIZED]',
  conversation: '[SUMMARIZED]',
  goal_batch: '[GOAL BATCH]',
};

/** A block that one of Strata's compactions put into the context. */
export interface Block {
  /** The sequence number of the journal record that made it. */
  readonly seq: number;
  readonly metadata: BlockMetadata;
}

/** One message as the model would be sent it. */
export interface ContextMessage {
  /** The entry's id, `block:<seq>` for a block, `core` for the protected core. */
  readonly key: string;
  readonly role: Role;
  readonly kind: ContextKind;
  /** The entries that this message is, or stands in for. Empty for the core. */
  readonly entryIds: readonly string[];
  readonly parts: readonly Part[];
  /** Counted with the tokenizer, not calibrated. */
  readonly tokens: number;
  readonly timestamp: string | null;
  /** A user-role message that no person wrote. It opens no turn. */
  readonly injected: boolean;
  readonly block?: Block;
}

export interface ContextTokens {
  /** Tokens in the window. The parts of `byKind` add up to it. */
  readonly total: number;
  /**
   * `reported`: the provider's figure for the newest reply, plus the counted messages since. `estimated`: there is no
   * report for this context, because the agent gave none or because a compaction of Strata changed it since.
   */
  readonly source: 'reported' | 'estimated';
  readonly byKind: Readonly<Record<ContextKind, number>>;
  /** Reported tokens per counted token for this model; 1 where nothing was reported. */
  readonly calibration: number;
  /** Tokens that the agent sends but does not write down (system prompt, tool schemas), derived; part of `system`. */
  readonly derivedSystem: number;
}

/** The list of messages the model would be sent now. */
export interface Context {
  readonly messages: readonly ContextMessage[];
  readonly tokens: ContextTokens;
}

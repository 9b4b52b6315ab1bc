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

/** The metadata of a block. The keys are exact (docs/specification.md, "Block format"). */
export interface BlockMetadata {
  readonly summarized: true;
  /** The kind of block: `tool_call_batch`, `conversation`, `goal_batch`, or the type that another strategy names. */
  readonly summary_type: string;
  readonly turn_count: number;
  /** Where a policy made the block: how many history entries it stands for. */
  readonly entries_summarized?: number;
}

/** How a kind of block stands in the context. */
export interface BlockForm {
  /** The line that its text begins with. */
  readonly tag: string;
  readonly role: Role;
  readonly kind: ContextKind;
  /** Replies within one turn, whole turns, or the texts of tool results, which stay in their places without them. */
  readonly covers: 'replies' | 'turns' | 'results';
}

/** What stands for an agent's replies speaks as the agent did. */
const summaryOfReplies: BlockForm = { tag: '[SUMMARIZED]', role: 'assistant', kind: 'summary', covers: 'replies' };

/** What stands for whole turns replaces the person's messages too, and providers want a user message first. */
const summaryOfTurns: BlockForm = { tag: '[SUMMARIZED]', role: 'user', kind: 'summary', covers: 'turns' };

const forms: Readonly<Partial<Record<string, BlockForm>>> = {
  tool_call_batch: summaryOfReplies,
  conversation: summaryOfReplies,
  goal_batch: { ...summaryOfTurns, tag: '[GOAL BATCH]', kind: 'goal_batch' },
  excluded: { ...summaryOfReplies, tag: '[EXCLUDED]' },
  excluded_turns: { ...summaryOfTurns, tag: '[EXCLUDED]' },
  pruned: { tag: '[PRUNED]', role: 'tool', kind: 'tool_result', covers: 'results' },
};

/** The form of a kind of block. Kinds that are not listed replace whole turns. */
export function blockForm(summaryType: string): BlockForm {
  return forms[summaryType] ?? summaryOfTurns;
}

/** A block that one of Strata's compactions put into the context. */
export interface Block {
  /** The sequence number of the journal record that made it. */
  readonly seq: number;
  readonly strategy: string;
  /** Which part of the strategy made it, where it makes several kinds: `old`, `medium`, `level-2`. */
  readonly tier: string | null;
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
  /** A tool result whose text was taken out: by which compaction. */
  readonly pruned?: Block;
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

import type { Block } from './block';
import type { MessageMarks, Part, Role } from './entry';
import type { ForkedBlock } from './forked';
import { sum } from './whole-tokens';

/**
 * The kind of a message. `system` (the system prompt, and standing instructions in the role `user`) and `core` are never
 * summarised; `goal_batch` and `summary` stand in for older entries.
 */
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

/**
 * The kind of tokens in a context. `earlier`: messages before the first one of the file. `unexplained`: growth
 * that no record explains. Both are only known from what the provider reported.
 */
export const tokenKinds = ['system', 'earlier', ...contextKinds.slice(1), 'unexplained'] as const;

export type TokenKind = (typeof tokenKinds)[number];

/** How blocks of one kind appear in the context. */
interface BlockForm {
  /** The first line of the text. */
  readonly tag: string;
  readonly role: Role;
  readonly kind: ContextKind;
  /** The extent of a block: it replaces replies within one turn, whole turns, or the texts of tool results, which stay in place. */
  readonly covers: 'replies' | 'turns' | 'results';
}

/** Replaces the agent's replies, so it has the agent's role. */
const summaryOfReplies: BlockForm = { tag: '[SUMMARIZED]', role: 'assistant', kind: 'summary', covers: 'replies' };

/** Replaces user messages too. Providers want a user message first, so it has the user role. */
const summaryOfTurns: BlockForm = { tag: '[SUMMARIZED]', role: 'user', kind: 'summary', covers: 'turns' };

/** Replaces only the texts of tool results; the results stay in place. */
const textsOfResults = { role: 'tool', kind: 'tool_result', covers: 'results' } as const;

const forms: Readonly<Partial<Record<string, BlockForm>>> = {
  tool_call_batch: summaryOfReplies,
  conversation: summaryOfReplies,
  goal_batch: { ...summaryOfTurns, tag: '[GOAL BATCH]', kind: 'goal_batch' },
  excluded: { ...summaryOfReplies, tag: '[EXCLUDED]' },
  excluded_turns: { ...summaryOfTurns, tag: '[EXCLUDED]' },
  pruned: { ...textsOfResults, tag: '[PRUNED]' },
  superseded: { ...textsOfResults, tag: '[SUPERSEDED]' },
  cleared: { ...textsOfResults, tag: '[CLEARED]' },
};

/** The form of a kind of block. Kinds that are not listed replace whole turns. */
export function blockForm(summaryType: string): BlockForm {
  return forms[summaryType] ?? summaryOfTurns;
}

export function coversTurns(summaryType: string): boolean {
  return blockForm(summaryType).covers === 'turns';
}

export function coversResults(summaryType: string): boolean {
  return blockForm(summaryType).covers === 'results';
}

/** One message as it would be sent to the model. */
export interface ContextMessage extends MessageMarks {
  /** The entry's id, `block:<seq>` for a block, `core` for the protected core. */
  readonly key: string;
  readonly role: Role;
  readonly kind: ContextKind;
  /** The entries that this message is or stands in for. Empty for the core. */
  readonly entryIds: readonly string[];
  readonly parts: readonly Part[];
  /** Counted with the tokenizer, not calibrated. */
  readonly tokens: number;
  readonly timestamp: string | null;
  /** Present for a block of the conversation's journal. */
  readonly block?: Block;
  /** Present for a block that came with a fork: an entry of the session, which no journal can undo. */
  readonly forked?: ForkedBlock;
  /** For a tool result without its text: the compaction that removed it. */
  readonly pruned?: Block;
}

/** The block that a message is, whether of the conversation's journal or of the original of a fork. */
export function blockOf({ block, forked }: Pick<ContextMessage, 'block' | 'forked'>): Block | undefined {
  return block ?? forked;
}

/** Counted tokens of all of these messages. */
export function tokensOf(messages: readonly Pick<ContextMessage, 'tokens'>[]): number {
  return messages.reduce((total, message) => total + message.tokens, 0);
}

/** All sizes are in one unit: whole tokens as the provider counts them, where it reported, else counted ones. */
export interface ContextTokens {
  /** Tokens in the window: the sum of `byKind`, and of `ofMessages`, `derivedSystem` and the two kinds without messages. */
  readonly total: number;
  /**
   * `reported`: the provider's figure for the newest reply, plus the counted messages since. `estimated`: no report is
   * about this context, because the agent logs none or because Strata compacted it since.
   */
  readonly source: 'reported' | 'estimated';
  /** The part of `total` that is not reported: the messages since the report; without a report, all of it. */
  readonly countedSince: number;
  /** The messages as the tokenizer counts them, without calibration. */
  readonly counted: number;
  readonly byKind: Readonly<Record<TokenKind, number>>;
  /** The tokens of each message of the context, in their order. */
  readonly ofMessages: readonly number[];
  /** Reported tokens per counted token for this model; 1 without a report. */
  readonly calibration: number;
  /**
   * System tokens that the agent sends but does not log (system prompt, tool schemas): what the session's first report
   * leaves over. Constant for a session. Part of `system`.
   */
  readonly derivedSystem: number;
}

/** The tokens that no run changes: system prompt, core, and what is in no message of the file. */
export function fixedTokens({ byKind }: Pick<ContextTokens, 'byKind'>): number {
  return byKind.system + byKind.core + tokensBeside(byKind);
}

/** The tokens that are in no message of the file, apart from the system prompt. */
export function tokensBeside({ earlier, unexplained }: ContextTokens['byKind']): number {
  return earlier + unexplained;
}

/** The messages that the model would be sent now. */
export interface Context {
  readonly messages: readonly ContextMessage[];
  readonly tokens: ContextTokens;
  /** Number of blocks of the journal among the messages. */
  readonly blocks: number;
  /** Whether the journal changed anything: there is a block, a result without its text, or the core. */
  readonly isChanged: boolean;
}

/** Tokens at the beginning of a context that another one has too: only these come from the provider's prompt cache. */
export function unchangedTokens(before: Context, after: Context): number {
  const { derivedSystem, ofMessages } = before.tokens;
  return derivedSystem + sum(ofMessages.slice(0, firstChange(before, after)));
}

/** Tokens from the first message on that differs in the other context. Tokens that belong to no message precede all messages. */
export function changedTokens(before: Context, after: Context): number {
  return sum(before.tokens.ofMessages.slice(firstChange(before, after)));
}

/** Index of the first message that differs in the other context; the number of messages if none does. */
function firstChange({ messages }: Context, after: Context): number {
  const changed = messages.findIndex((message, at) => !isSame(message, after.messages[at]));
  return changed < 0 ? messages.length : changed;
}

/** The parts of an entry stay the same value. Those of the core are made with each context. */
function isSame({ key, parts }: ContextMessage, other: ContextMessage | undefined): boolean {
  if (key !== other?.key) return false;
  return parts === other.parts || JSON.stringify(parts) === JSON.stringify(other.parts);
}

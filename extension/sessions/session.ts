import type { Conversation } from '../engine/conversation/conversation';
import type { LocalizableText } from '../engine/wording/localizable-text';

/** The agents whose sessions Strata reads, with the names that people see. */
export const agentNames = {
  'claude-code': 'Claude Code',
  cline: 'Cline',
  codex: 'Codex',
  'copilot-cli': 'Copilot CLI',
  'gemini-cli': 'Gemini CLI',
  kilo: 'Kilo Code',
  opencode: 'OpenCode',
  pi: 'pi',
  'qwen-code': 'Qwen Code',
  'roo-code': 'Roo Code',
  strata: 'Strata',
  'vscode-chat': 'VS Code chat',
} as const satisfies Readonly<Record<string, string>>;

export type AgentId = keyof typeof agentNames;

/** Something in a session file that could not be read as expected. The rest is shown in any case. */
export interface SessionIssue {
  readonly file: string;
  /** 1-based; 0 when the issue is of the file as a whole. */
  readonly line: number;
  readonly message: LocalizableText;
}

/** How full the agent's context is, as its newest reply reported it. */
export interface ContextFill {
  readonly tokens: number;
  /** Context window of its model in tokens; null if the model is not known. */
  readonly window: number | null;
}

/**
 * The data for session lists, from a part of the file. A new optional field reaches every list from the outlines that have it:
 * `outlineFields`, and the listings of Cline’s command line and of OpenCode. `outline-cache.ts` keeps it between runs.
 */
export interface SessionSummary {
  readonly agent: AgentId;
  readonly id: string;
  /** Its address: the file's path, followed by the session's key if the file holds several. */
  readonly file: string;
  readonly cwd: string | null;
  readonly title: string | null;
  /** Milliseconds since the epoch: the last time the file was written. */
  readonly modified: number;
  /** Bytes. */
  readonly size: number;
  readonly live: boolean;
  /** Context windows of models in tokens, as their providers’ refusals corrected them. */
  readonly limits?: ReadonlyMap<string, number>;
  /** The newest branch of the folder's repository that the session names. */
  readonly branch?: string;
  /** Absent if no reply reported it, or the agent has compacted since. */
  readonly fill?: ContextFill;
  /** A fork that Strata wrote. */
  readonly isFork?: true;
}

/** A conversation that a tool call of another one started, in a separate file or record. */
export interface Subagent {
  /** The call that started it; null if it is not recorded. */
  readonly callId: string | null;
  /** Its address, to open it by. */
  readonly file: string;
  readonly title: string | null;
}

/** The conversation that started this one. */
export interface ParentSession {
  /** Its address; null if it is not found beside this one. */
  readonly file: string | null;
  readonly callId: string | null;
}

/** The session that this one continues: the original of a fork, or the file before this one. */
export interface Predecessor {
  /** Empty if the records do not name it. */
  readonly id: string;
  /** Where it was when this session began; it need not be there. Null if the records do not name it. */
  readonly file: string | null;
  readonly title: string | null;
  /** A text that its file has, if the records name neither: the id of the record before the first one of this session. */
  readonly mark?: string;
  /** This session is a fork that Strata wrote. */
  readonly byStrata?: true;
}

/** The place of a conversation that is in a store of records and not in a file. */
interface StorePosition {
  /** The store, without secrets. */
  readonly place: string;
  /** The tenant that the conversation belongs to; null if it has none. */
  readonly tenant: string | null;
  /** The key that its agent gave it, or its id. */
  readonly name: string;
}

/** `compaction`: the agent compacted by itself at this size. `usage`: the largest size that the provider reported. */
export interface WindowEvidence {
  readonly by: 'compaction' | 'usage';
  readonly tokens: number;
}

/** The present state of a session. Every change of the file gives a new value. */
export interface Session {
  readonly agent: AgentId;
  readonly id: string;
  /** Its address: the file's path, followed by the session's key if the file holds several. */
  readonly file: string;
  /** Present if it is in a store; the address then names it there. */
  readonly store?: StorePosition;
  readonly cwd: string | null;
  readonly title: string | null;
  readonly model: string | null;
  /** Context window that the agent works with in tokens, if the session records or shows it. */
  readonly contextWindow?: number;
  /** Present if that is not the model's usual window. */
  readonly windowShownBy?: WindowEvidence;
  /** The newest branch of the folder's repository that the session names. */
  readonly branch?: string;
  readonly live: boolean;
  /**
   * Present where no process says that it has the session open, and it is live only because it was written just now:
   * milliseconds since the epoch from which it counts as at rest if nothing more is written.
   */
  readonly restsFrom?: number;
  /** The newest record is a user entry or a tool call that has no answer yet. */
  readonly awaitsReply: boolean;
  /** Present in a conversation that another one started. */
  readonly parent?: ParentSession;
  readonly predecessor?: Predecessor;
  readonly subagents: readonly Subagent[];
  readonly issues: readonly SessionIssue[];
  /** Records that are not part of the conversation, by their type: state, snapshots, and types not known to Strata. */
  readonly otherRecords: Readonly<Record<string, number>>;
  readonly conversation: Conversation;
}

/** A session as read from its records alone. Whether it is live also depends on the file and on lock files. */
export type ParsedSession = Omit<Session, 'live' | 'restsFrom' | 'subagents'> &
  /** Present if the records of subagents are among them. */
  Partial<Pick<Session, 'subagents'>>;

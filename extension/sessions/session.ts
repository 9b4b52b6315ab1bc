import type { Conversation } from '../engine/conversation/conversation';

export type AgentId = 'claude-code' | 'pi' | 'strata' | 'vscode-chat';

export const agentNames: Readonly<Record<AgentId, string>> = {
  'claude-code': 'Claude Code',
  pi: 'pi',
  strata: 'Strata',
  'vscode-chat': 'VS Code chat',
};

/** Something in a session file that could not be read as expected. What can be shown is shown all the same. */
export interface SessionIssue {
  readonly file: string;
  /** 1-based; 0 when the issue is of the file as a whole. */
  readonly line: number;
  readonly message: string;
}

/** What a session list shows, without having read the whole file. */
export interface SessionSummary {
  readonly agent: AgentId;
  readonly id: string;
  readonly file: string;
  readonly cwd: string | null;
  readonly title: string | null;
  /** Milliseconds since the epoch: the last time the file was written. */
  readonly modified: number;
  /** Bytes. */
  readonly size: number;
  readonly live: boolean;
}

/** One session as it stands now. A new value comes with every change of the file. */
export interface Session {
  readonly agent: AgentId;
  readonly id: string;
  readonly file: string;
  readonly cwd: string | null;
  readonly title: string | null;
  readonly model: string | null;
  /** Of that model, in tokens, where the session says so itself. */
  readonly contextWindow?: number;
  readonly live: boolean;
  readonly issues: readonly SessionIssue[];
  /** Records that are no part of the conversation, by their type: state, snapshots, and types not known to Strata. */
  readonly otherRecords: Readonly<Record<string, number>>;
  readonly conversation: Conversation;
}

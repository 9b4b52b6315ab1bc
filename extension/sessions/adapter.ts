import type { AgentId, Session, SessionSummary } from './session';

/** One line of an append-only session file. */
export interface Line {
  /** 1-based. */
  readonly number: number;
  readonly text: string;
}

/**
 * Builds a session out of its lines, one at a time. Accepting a line costs as much as that line, not as much as the
 * session before it; `session()` may copy lists of references and walk the present context, nothing else.
 */
export interface SessionBuilder {
  accept(line: Line): void;
  /** Whether a last line that has no newline, and is no JSON object alone, is whole: the end of a pretty-printed file. */
  isEnd?(line: Line): boolean;
  session(): ParsedSession;
}

/** A session as its lines alone tell it. Whether it is live also depends on the file and on lock files. */
export type ParsedSession = Omit<Session, 'live'> & {
  /** The newest record is a user entry or a tool call that has no answer yet. */
  readonly awaitsReply: boolean;
};

/** What the first and last lines of a file tell. The id is empty where they do not name it. */
export type SessionOutline = Pick<SessionSummary, 'id' | 'cwd' | 'title'> &
  Pick<ParsedSession, 'awaitsReply'> & {
    /**
     * No list has it: nothing was said in it yet, or the list has it already as the session of another agent. It opens
     * by its file all the same.
     */
    readonly isUnlisted?: true;
  };

/** What one agent's session format is to the rest of Strata. A further agent is one folder with one of these. */
export interface SessionAdapter {
  readonly agent: AgentId;
  /** Folders this agent keeps its sessions in, for the given home and environment. They need not exist. */
  roots(environment: AgentEnvironment): string[];
  /** How many folders may lie between a root and a session file. Deeper ones are not visited. */
  readonly foldersBelowRoot: number;
  /** Whether a file at this path under a root may be a session of this agent. By name only; nothing is read. */
  mayBeSession(path: string): boolean;
  /** Whether the first lines of a file, at most 50, are this format. Never throws. */
  recognises(head: readonly string[]): boolean;
  /** Session id, folder and title out of the first and last lines of a file. */
  summarise(head: readonly string[], tail: readonly string[]): SessionOutline;
  createBuilder(file: string): SessionBuilder;
  /** This agent writes its files anew now and then, with the same in them: no news to a person. */
  readonly rewritesFiles?: true;
  /** The folder that a session is about, where that stands beside its file and not in it. Never rejects. */
  folderOf?(file: string): Promise<string | null>;
  /** Ids of the sessions that a running agent has open, where this agent says so on disk. Never rejects. */
  sessionsInUse?(environment: AgentEnvironment): Promise<ReadonlySet<string>>;
}

export interface AgentEnvironment {
  readonly home: string;
  /** Where editors of the VS Code family keep a person's data: each has `workspaceStorage` and `globalStorage` in it. */
  readonly editorFolders?: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
}

import type { LocalizableText } from '../engine/wording/localizable-text';
import type { AgentEnvironment } from '../platform/files/environment';
import type { FileEnds } from '../platform/files/head-and-tail';
import type { JsonRecord } from '../platform/json/schemas';
import type { Line } from '../platform/lines/line';
import type { ForkFormat } from './fork/fork-format';
import type { SessionReading } from './reading';
import type { AgentId, ParsedSession, Session, SessionIssue, SessionSummary, Subagent } from './session';

/**
 * How Strata reads one agent's sessions: from lines of a file that only grows, or from a store of another kind. To add an agent, add a
 * folder with an adapter, and one line in `adapters.ts`.
 */
export type SessionAdapter = LineFormat | StoreFormat;

/** Common to the sessions of every agent. */
interface AgentSessions {
  readonly agent: AgentId;
  /** Folders in which this agent keeps its sessions, for the given home and environment. They need not exist. */
  roots(environment: AgentEnvironment): string[];
  /** How many folders may lie between a root and a session file. Deeper ones are not visited. */
  readonly foldersBelowRoot: number;
  /** Whether a file at this path under a root may be a session of this agent. By name only; nothing is read. */
  mayBeSession(path: string): boolean;
  /** The agent sometimes rewrites its files with the same content, which need not be reported. */
  readonly rewritesFiles?: true;
  /**
   * The session that a file is part of, for agents that continue a session in further files: lists show the file with
   * the greatest `order`. By name only; null if the name does not say.
   */
  partOf?(file: string): { readonly session: string; readonly order: string } | null;
  /** The working folder of a session, if it is recorded beside its file and not in it. Never rejects. */
  folderOf?(file: string): Promise<string | null>;
  /** The sessions that processes of the agent have opened, if the agent records that on disk. Never rejects. */
  occupancy?(environment: AgentEnvironment): Promise<Occupancy>;
  /** The session that this process of the agent has open, if the agent records that on disk. Never rejects. */
  sessionOfProcess?(pid: number, environment: AgentEnvironment): Promise<string | null>;
  /** The variable in which the agent gives its session's id to programs that it starts. */
  readonly sessionVariable?: string;
  /** The conversations that this one started. Looks at names and small files only; never rejects. */
  subagentsOf?(session: ParsedSession): Promise<readonly Subagent[]>;
  /** The command that resumes a session, to be run in its working folder. */
  resume?(session: Pick<Session, 'id' | 'file'>): readonly string[];
  /** Present if Strata can write new sessions of this agent. */
  readonly fork?: ForkFormat;
  /** Present if the agent's settings or documentation say when it compacts by itself. */
  readonly ownCompaction?: OwnCompaction;
}

/** Ids of sessions, from the agent's own files about its processes. */
export interface Occupancy {
  /** A running process has the session open. */
  readonly inUse: ReadonlySet<string>;
  /** The process that had it open ended without closing it: it was killed, or the machine was switched off. */
  readonly left: ReadonlySet<string>;
}

/** Sessions that are files of JSON lines, one session a file. */
export interface LineFormat extends AgentSessions {
  readonly kind: 'lines';
  /**
   * Whether the first lines of a file (at most 50) are in this format, even if the very first one is missing. Must be false for the files
   * of every other line format. Never throws.
   */
  recognises(head: readonly string[]): boolean;
  /** Session id, folder, title and fill level from the first and last lines of a file. */
  summarise(ends: FileEnds): LineOutline;
  /** A line between them that can change this outline; absent if there is none. */
  lineFor?(outline: SessionOutline): WantedLine | null;
  createBuilder(file: string): SessionBuilder;
  /** Present if a session's file also contains the conversations of its subagents: builds the one with this key. */
  createPartBuilder?(file: string, key: string): SessionBuilder;
}

/** Finds the newest line of a file that contains this text and passes the check. */
export interface WantedLine {
  readonly text: string;
  isMeant(line: string): boolean;
}

/** Sessions that are stored differently: in a database, or in files that are rewritten with every change. */
export interface StoreFormat extends AgentSessions {
  readonly kind: 'store';
  /** Whether this is such a store, by its path and its first bytes (up to 64 KiB). Never throws. */
  recognises(file: string, beginning: Buffer): boolean;
  /** Files beside it that change with it: a write-ahead log, a sidecar. They need not exist. */
  companions(file: string): readonly string[];
  /** Every session of the store that a list shows. Never rejects: what cannot be read is an issue. */
  list(file: string): Promise<StoreListing>;
  /** Opens one session; without a key, the only one there is. */
  open(file: string, key: string | null): Promise<StoreOpening>;
}

export interface StoreListing {
  readonly sessions: readonly StoredOutline[];
  readonly issues: readonly SessionIssue[];
}

export interface StoredOutline extends SessionOutline {
  /** Identifies this session within its store; null if the store holds one session. */
  readonly key: string | null;
  /**
   * When this session was last written, in milliseconds since the epoch. Absent if the store does not record it; its files' times then
   * count.
   */
  readonly modified?: number;
  /** Bytes of this session alone, if the store records them. */
  readonly size?: number;
  /** The store itself records that an agent is at work in this session. */
  readonly inUse?: boolean;
}

export type StoreOpening =
  | { readonly kind: 'reading'; readonly reading: SessionReading }
  /** The message names the file and says why. */
  | { readonly kind: 'missing' | 'unreadable' | 'empty' | 'foreign'; readonly message: LocalizableText };

/**
 * Builds a session out of its lines, one at a time. Accepting a line costs as much as that line, not as much as the
 * session before it; `session()` may copy lists of references and walk the present context, nothing else.
 */
export interface SessionBuilder {
  accept(line: Line): void;
  /** Takes in a record that was written as this line, without parsing it. Absent: the builder reads lines only. */
  acceptWritten?(record: object, line: number): void;
  /** Whether a last line that has no newline, and is no JSON object alone, is whole: the end of a pretty-printed file. */
  isEnd?(line: Line): boolean;
  session(): ParsedSession;
}

/** The content of a file's first and last lines. The id is empty if they do not name it. */
export type SessionOutline = Omit<SessionSummary, 'agent' | 'file' | 'modified' | 'size' | 'live' | 'limits'> &
  Pick<ParsedSession, 'awaitsReply'> & {
    /**
     * Lists leave it out: it is still empty, it is already listed as another agent's session, or another conversation
     * started it. It can still be opened by its file.
     */
    readonly isUnlisted?: true;
  };

export type LineOutline = SessionOutline & {
  /** The fill level is left out, because only the first lines have one, and lines that were not read may have a newer one. */
  readonly hasUnreadFill?: true;
};

/**
 * The size at which an agent compacts by itself, as far as its settings and documentation say. Pure: `own-compaction/settings.ts` reads the
 * files.
 */
interface OwnCompaction {
  /** The settings files of a session, the weakest first. They need not exist. */
  settingsFiles(place: SettingsPlace): readonly string[];
  /** @param settings the content of these files, merged; empty for the size by default. */
  size(settings: JsonRecord, use: ModelInUse): OwnSize;
}

/** Tokens; `off`: it does not compact by itself; null: not known. */
export type OwnSize = number | 'off' | null;

export interface SettingsPlace extends AgentEnvironment {
  /** The folder of the session; null if it is not known. */
  readonly cwd: string | null;
}

export interface ModelInUse {
  readonly model: string | null;
  /** Tokens. */
  readonly contextWindow: number;
  readonly variables: AgentEnvironment['variables'];
}

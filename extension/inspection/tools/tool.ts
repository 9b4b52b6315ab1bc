import type { Embedder } from '../../engine/block/language-model';
import type { CoreItem } from '../../engine/core/core';
import type { SessionSummary } from '../../sessions/session';
import type { Inspection } from '../inspection';

/** One call of a tool. */
export interface ToolCall {
  readonly input: unknown;
  /** Id of the calling model; null if it is unknown. */
  readonly model: string | null;
  /** Maximum answer size of the caller, in tokens. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** The session of a tool call. */
export interface ToolTarget {
  readonly inspection: Inspection;
  /** First line of the answer: which session this is and how it was chosen. Without text from the session. */
  readonly about: string;
}

/** The tools need these from the program that offers them. Effects must not delay the answer. */
export interface ToolSurroundings {
  /** The session that the call is about. Throws `NoTarget` if it is unclear. `asked`: as the caller named it. */
  targetOf(asked: string | null): Promise<ToolTarget>;
  /** Added to the first line of a list if the caller may read more than the sessions of its own project. */
  readonly reach?: string;
  /** The folders that the caller works in. */
  openFolders(): readonly string[];
  /** The sessions of all agents, newest first. */
  sessions(): Promise<readonly SessionSummary[]>;
  /** Changes a session's journal and updates all views of it. */
  change<T>(inspection: Inspection, act: (inspection: Inspection) => Promise<T>): Promise<T>;
  /** Asks the person to accept or refuse a proposal. */
  announceProposal(target: ToolTarget, item: CoreItem): void;
  /** Passes on the request for a compaction. Returns a message for the caller that says what happens next. */
  askForCompaction(target: ToolTarget, reason: string): Promise<string>;
  /** Null: search by words only. */
  readonly embedder: Embedder | null;
  warn(message: string): void;
}

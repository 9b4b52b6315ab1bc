export interface SessionListItem {
  readonly agent: string;
  readonly agentName: string;
  readonly file: string;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly modified: number;
  readonly live: boolean;
  /** The newest branch of the folder's repository that the session names. */
  readonly branch?: string;
  /** A fork that Strata wrote. */
  readonly isFork?: true;
  /** The agent's own context, as its newest reply reported it; absent if unknown. */
  readonly fill?: FillView;
}

export interface FillView {
  readonly tokens: number;
  /** The model's context window; the setting's value if the model is unknown. */
  readonly window: number;
  /** Tokens after Strata's compactions, while they have not reached the agent; absent if there are none. */
  readonly after?: number;
}

/** A session that is being read and cannot be shown yet. */
export interface OpeningView {
  readonly file: string;
  /** Bytes on disk; null if unknown. */
  readonly size: number | null;
}

/** `host/view/rows.ts` gives messages and entries their kinds. `webview/state/timeline/row-kinds.ts` says how each is shown. */
export const rowKinds = [
  /** Represents the messages of earlier sessions, which are not in this context. */
  'earlier',
  'system',
  'core',
  'goal_batch',
  'summary',
  'user',
  'injected',
  'reasoning',
  'assistant',
  'tool',
] as const;
export type RowKind = (typeof rowKinds)[number];

/** One line of the timeline. A reply with reasoning, text and two tool calls has four rows. A tool result is part of its call's row. */
export interface Row {
  /** Unique within the session and stable across changes. */
  readonly key: string;
  readonly kind: RowKind;
  /** Number of the turn that this user row begins, 1-based within the context; null for other rows. */
  readonly turn: number | null;
  /** One line of plain text, at most 240 characters. */
  readonly preview: string;
  readonly tokens: number;
  readonly tool: ToolView | null;
  readonly block: BlockView | null;
  readonly images: number;
  /** Kinds of the core's active items that were pinned from this row's entry. */
  readonly pinned: readonly string[];
  /** Milliseconds since the epoch. */
  readonly time: number | null;
}

export interface RowsBeneath {
  readonly rows: readonly Row[];
  /** The file of the session before these rows, if it was not read. */
  readonly unread: string | null;
}

export interface ToolView {
  readonly name: string;
  /** The most informative argument, such as a path, a command or a pattern. One line. */
  readonly subject: string;
  readonly outcome: 'ok' | 'error' | 'running';
  /** One line of the result. */
  readonly result: string;
  /** A compaction removed its output. */
  readonly pruned: boolean;
  /** File or address of the conversation that this call started. */
  readonly subagent?: string;
}

export interface BlockView {
  readonly tag: string;
  readonly by: 'strata' | 'agent';
  /** Id of the compaction that made this block. */
  readonly compactionId: string;
  /** Id of the compaction to which it belongs if that differs, as for a block that came with a fork. */
  readonly partOf?: string;
  readonly entryCount: number;
  readonly turnCount: number | null;
  readonly tokensBefore: number | null;
  /** At most two sentences about the replaced entries; null if there are none. */
  readonly displayLine: string | null;
}

/** The full content of a row, read when a person opens it. */
export interface RowDetail {
  readonly sections: readonly RowSection[];
  readonly images: readonly ImageView[];
  readonly origin: { readonly file: string; readonly line: number } | null;
  readonly entryId: string | null;
}

export interface RowSection {
  readonly label: string;
  readonly text: string;
  /** The text was shortened; the rest can be seen in the session file. */
  readonly cut: boolean;
  /** `markdown` is shown with its structure, everything else verbatim. Nothing is rendered as HTML. */
  readonly tone: 'plain' | 'markdown' | 'code' | 'error' | 'quiet';
}

export interface ImageView {
  readonly mediaType: string;
  /** `data:` URI of a raster image; null if the session does not contain it or its type is not shown. */
  readonly source: string | null;
}

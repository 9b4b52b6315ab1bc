/** How much of a text another one contains: all of it verbatim, its beginning before an omission mark, or neither. */
const verbatimFates = ['whole', 'shortened', 'gone'] as const;
export type VerbatimFate = (typeof verbatimFates)[number];

/** Something that is no longer in the context, and the entry that has it. */
export interface LostItem {
  /** On one line, shortened. */
  readonly text: string;
  readonly entryId: string;
}

/** A tool's output that was replaced. */
export interface LostOutput extends LostItem {
  /** Counted tokens. */
  readonly tokens: number;
}

/** Items that a report lists of each kind, and of the largest outputs. */
export const mostListed = 60;
export const mostOutputs = 5;

/**
 * Compares the context that results from a compaction with the replaced entries, as far as structure can tell. Whether other words
 * say the same is not judged. Lists have the newest items, oldest first; counts are of all.
 */
export interface LossReport {
  /** Counts of the person's messages by fate, and the messages that the context does not contain whole. */
  readonly messages: Readonly<Record<VerbatimFate, number>> & {
    readonly listed: readonly (LostItem & { readonly fate: Exclude<VerbatimFate, 'whole'> })[];
  };
  /** Files that the replaced calls changed: how many the context names, and those that it does not name. */
  readonly files: Tally;
  /** To-do items and failing checks that were open at the end. */
  readonly open: Tally;
  /** Tool outputs that were replaced, and the largest of them, largest first. */
  readonly outputs: { readonly count: number; readonly tokens: number; readonly largest: readonly LostOutput[] };
}

export interface Tally {
  readonly named: number;
  readonly unnamed: number;
  readonly listed: readonly LostItem[];
}

/** Whether the context lacks anything of what was replaced. */
export function hasLoss({ messages, files, open, outputs }: LossReport): boolean {
  return messages.shortened + messages.gone + files.unnamed + open.unnamed + outputs.count > 0;
}

/** The number of the person's messages that were replaced. */
export function messagesIn({ messages: { whole, shortened, gone } }: LossReport): number {
  return whole + shortened + gone;
}

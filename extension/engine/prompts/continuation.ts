import { recordContinues } from '../block/record-continues';
import type { RequestedBlock, RequestedTurn, SummaryRequest } from '../block/summary';
import { type Entry, textOf } from '../conversation/entry';

/** The text of a model at earlier compactions, and the record since. */
export interface Continuation {
  /** Oldest first. */
  readonly earlier: readonly string[];
  readonly since: readonly RequestedTurn[];
}

/**
 * The summaries by a model with which the replaced messages begin, by Strata's writer or by the agent itself; null without one.
 * A summary that is written again from its own text and the new record keeps what a summary of a summary would lose.
 */
export function continuationOf({ summaryType, turns }: SummaryRequest): Continuation | null {
  if (summaryType === 'handoff') return null;
  const earlier: string[] = [];
  for (const [index, turn] of turns.entries()) {
    if (turn.user !== null && (turn.userIsReplaced || index > 0)) return continuation(earlier, turns.slice(index));
    const rest = withoutLeading(turn, earlier);
    if (rest.blocks.length > 0 || rest.entries.length > 0)
      return continuation(earlier, [rest, ...turns.slice(index + 1)]);
  }
  return continuation(earlier, []);
}

function continuation(earlier: readonly string[], since: readonly RequestedTurn[]): Continuation | null {
  return earlier.length === 0 ? null : { earlier, since };
}

/** Moves the summaries at the beginning of a turn to `earlier`, with the entries beneath them. */
function withoutLeading(turn: RequestedTurn, earlier: string[]): RequestedTurn {
  const blocks = [...turn.blocks];
  let entries = turn.entries;
  for (;;) {
    const [first] = entries;
    const [block] = blocks;
    if (first === undefined) break;
    if (block?.isByModel && block.entryIds.includes(first.id)) {
      earlier.push(ownText(block));
      blocks.shift();
      entries = withoutCovered(entries, block);
    } else if (first.summary && !blocks.some(({ entryIds }) => entryIds.includes(first.id))) {
      earlier.push(textOf(first.parts));
      entries = entries.slice(1);
    } else break;
  }
  return { ...turn, blocks, entries };
}

function withoutCovered(entries: readonly Entry[], { entryIds }: RequestedBlock): readonly Entry[] {
  const covered = new Set(entryIds);
  return entries.filter(({ id }) => !covered.has(id));
}

const tagLine = /^\[[A-Z ]+\]\n/;

/** Without the tag, and without the line that says that the record continues: now the new record does. */
function ownText({ text }: RequestedBlock): string {
  return text.replace(tagLine, '').replace(`\n${recordContinues}`, '').trim();
}

import { commonPrefixLength } from '../conversation/common-prefix';
import type { Entry } from '../conversation/entry';
import { type ActiveBlock, isWhole, withoutOverlaps } from '../conversation/projection';
import { activeBlocks, type JournalState } from './journal-state';

/** The blocks of a journal that a context contains. */
interface ContextBlocks {
  /** In the order of their creation. */
  readonly blocks: readonly ActiveBlock[];
  /** Ids of the entries that they replace. */
  readonly entryIds: ReadonlySet<string>;
}

interface Known extends ContextBlocks {
  readonly entries: readonly Entry[];
  /** Whether no block is left out for missing entries, so that further entries change nothing. */
  readonly isSettled: boolean;
}

/** Caches the newest answer per state; a context that only grew has the same answer. */
const known = new WeakMap<JournalState, Known>();

/**
 * The blocks of which the agent would still send every entry. After the agent compacted or went back, a block that lost
 * some of its entries would repeat the agent's summary, or report from an abandoned branch. Such a block rests, and its
 * remaining entries appear. Each pruned result is judged on its own.
 */
export function blocksInContext(state: JournalState, entries: readonly Entry[]): ContextBlocks {
  const before = known.get(state);
  if (before?.isSettled && commonPrefixLength(before.entries, entries) === before.entries.length) return before;
  const found = findBlocks(activeBlocks(state), entries);
  known.set(state, found);
  return found;
}

function findBlocks(all: readonly ActiveBlock[], entries: readonly Entry[]): Known {
  const present = new Set(all.length === 0 ? [] : entries.map(({ id }) => id));
  const whole = all.filter((block) => isWhole(block, present));
  const blocks = withoutOverlaps(whole);
  const entryIds = new Set(blocks.flatMap((block) => block.entryIds));
  return { blocks, entryIds, entries, isSettled: whole.length === all.length };
}

import type { Conversation } from '../conversation/conversation';
import { blocksInContext } from './context-blocks';
import type { JournalState } from './journal-state';

/** The strategy name of exclusions by hand. Each exclusion is one block and is undone like any other. */
export const exclusionStrategy = 'exclude';

export function isExclusion({ strategy }: { readonly strategy: string }): boolean {
  return strategy === exclusionStrategy;
}

/**
 * Entries that a person excluded, also beneath later blocks: no summary, proposal or draft mentions them. If the agent went back before
 * some of its entries, the exclusion no longer applies, and the rest of them are sent again.
 */
export function excludedEntries(state: JournalState, { agentContext }: Conversation): ReadonlySet<string> {
  const exclusions = blocksInContext(state, agentContext).blocks.filter(isExclusion);
  return exclusions.length === 0 ? noEntries : new Set(exclusions.flatMap(({ entryIds }) => entryIds));
}

const noEntries: ReadonlySet<string> = new Set();

import type { Conversation } from '../conversation/conversation';
import { intactBlocks } from '../conversation/projection';
import { type JournalState, standingBlocks } from './journal-state';

/** Under this name the journal keeps what a person took out by hand: one block for each time, undone like any other. */
export const exclusionStrategy = 'exclude';

export function isExclusion({ strategy }: { readonly strategy: string }): boolean {
  return strategy === exclusionStrategy;
}

/**
 * Entries that a person took out, beneath later blocks too: no summary, proposal or draft tells of them either. Where the
 * agent went back, a block over some of its entries rests, and what it took out is sent again.
 */
export function excludedEntries(state: JournalState, { agentContext }: Conversation): ReadonlySet<string> {
  const standing = standingBlocks(state);
  if (!standing.some(isExclusion)) return nothing;
  return new Set(intactBlocks(agentContext, standing).flatMap((block) => (isExclusion(block) ? block.entryIds : [])));
}

const nothing: ReadonlySet<string> = new Set();

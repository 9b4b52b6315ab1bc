import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { project } from '../../../extension/engine/conversation/projection';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { overlayOf } from '../../../extension/engine/journal/overlay';
import { quickLedger } from '../../builders/conversation';
import { followedConversations, followedStates, shownOf } from '../../builders/followed';
import { compact, emptyState } from '../../builders/run';

/** Tests that a projection that is computed incrementally equals a new one. */

describe('incremental projection', () => {
  it('equals a fresh projection, also with blocks', async () => {
    await fc.assert(
      fc.asyncProperty(followedConversations, followedStates, async (conversation, steps) => {
        const { records } = await compact(conversation);
        const state = foldJournal(records);
        const ledger = quickLedger();
        for (const step of steps) {
          const shown = shownOf(conversation, step);
          for (const journal of [state, emptyState]) {
            const overlay = overlayOf(journal, shown);
            expect(project(shown, overlay, ledger)).toEqual(project(shown, overlay, quickLedger()));
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

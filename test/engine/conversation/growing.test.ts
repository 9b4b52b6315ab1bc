import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../extension/engine/conversation/entry';
import { project, projectAlone } from '../../../extension/engine/conversation/projection';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { overlayOf } from '../../../extension/engine/journal/overlay';
import { assistant, quickLedger, type Said, talk, user } from '../../builders/conversation';
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

  it('trusts the reports of a conversation that goes back and continues as those of a new one', () => {
    const usage = (cacheRead: number) => ({ input: 0, output: 0, cacheRead, cacheWrite: 0 });
    const replies: readonly Said[] = [
      user('question'),
      assistant('no report'),
      assistant('of the agent', usage(900)),
      { ...assistant('of Strata', usage(40)), countedTokens: 30 },
      { ...assistant('impossible', usage(90_000)), countedTokens: 30 },
    ];
    const step = fc.record({ kept: fc.nat({ max: 8 }), added: fc.array(fc.nat({ max: 4 }), { maxLength: 4 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        const ledger = quickLedger();
        let path: readonly Entry[] = [];
        let made = 0;
        for (const { kept, added } of steps) {
          const { entries } = talk(added.map((at) => replies[at] ?? user('')));
          path = [...path.slice(0, kept), ...entries.map((entry) => ({ ...entry, id: `n${made++}` }))];
          const conversation = { entries: path, agentContext: path, agentCompactions: [] };
          expect(projectAlone(conversation, ledger)).toEqual(projectAlone(conversation, quickLedger()));
        }
      }),
      { numRuns: 200 },
    );
  });
});

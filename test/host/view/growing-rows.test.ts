import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { project } from '../../../extension/engine/conversation/projection';
import type { RowSurroundings } from '../../../extension/host/view/row-surroundings';
import { RowBuilder } from '../../../extension/host/view/rows';
import { call, quickLedger, result, talk, user } from '../../builders/conversation';
import { followedConversations, followedStates, shownOf } from '../../builders/followed';

const around: RowSurroundings = {
  ledger: quickLedger(),
  turnOf: () => null,
  pinnedOf: () => [],
  blockOf: () => null,
  subagentOf: () => null,
};

describe('the cached rows of a growing context', () => {
  it('the cached rows of a growing context equal newly built ones', () => {
    fc.assert(
      fc.property(followedConversations, followedStates, (conversation, steps) => {
        const ledger = quickLedger();
        const kept = new RowBuilder();
        for (const step of steps) {
          const { messages } = project(shownOf(conversation, step), { blocks: [], core: null }, ledger);
          expect(kept.rowsOf(messages, around)).toEqual(new RowBuilder().rowsOf(messages, around));
        }
      }),
    );
  });

  it('the cached rows of a growing context are the same objects, except for calls that got their results', () => {
    const ledger = quickLedger();
    const kept = new RowBuilder();
    const conversation = talk(user('go'), call('a'), user('and?'), result('a', 'done'));
    const rowsOf = (shown: number) =>
      kept.rowsOf(project(shownOf(conversation, [shown, 0]), { blocks: [], core: null }, ledger).messages, around);
    const [asked, running, spoken] = rowsOf(3);
    const after = rowsOf(4);
    expect([after[0] === asked, after[1] === running, after[2] === spoken]).toEqual([true, false, true]);
    expect(after.map(({ tool }) => tool?.outcome)).toEqual([undefined, 'ok', undefined]);
  });
});

import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { agentSummary, talk, toolTurn } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';

/** What the agent would send when it has gone back to an earlier point, and forth again. */
function at(whole: Conversation, turns: number): Conversation {
  return { ...whole, agentContext: whole.agentContext.slice(0, turns * 6) };
}

describe('blocks made while an agent went back and forth', () => {
  it('never tell the same entry twice', async () => {
    const whole = talk(['a', 'b', 'c', 'd', 'e'].flatMap(toolTurn));
    const other = talk(['a', 'b', 'c'].flatMap(toolTurn), toolTurn('d'));
    const parameters = { checkpoint: { keepRecentTokens: 0 } };
    const first = await compact(at(other, 4), { strategy: 'checkpoint', parameters });
    const went = foldJournal(first.records);
    const back = at(whole, 3);
    const second = await compact(back, { strategy: 'checkpoint', parameters, state: went });
    const ids = contextOf(whole, foldJournal(second.records, went)).messages.flatMap((message) => message.entryIds);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(whole.agentContext.map(({ id }) => id).sort());
  });
});

describe('the original goal', () => {
  it('the original goal is not claimed of a session whose beginning is not there', async () => {
    const whole = { ...talk(['a', 'b', 'c'].flatMap(toolTurn)), beginsMidway: true as const };
    const { after } = await compact(whole, {
      strategy: 'checkpoint',
      parameters: { checkpoint: { keepRecentTokens: 0 } },
    });
    expect(after.messages.filter(({ kind }) => kind === 'core')).toEqual([]);
    expect(contextOf(talk([agentSummary('Before.')])).messages).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../../extension/engine/conversation/conversation';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { originalGoal } from '../../../extension/engine/journal/overlay';
import { agentSummary, assistant, injected, type Said, talk, toolTurn, user } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';

/** The context that the agent would send after it went back to an earlier point, or forward again. */
function at(whole: Conversation, turns: number): Conversation {
  return { ...whole, agentContext: whole.agentContext.slice(0, turns * 6) };
}

describe('blocks made while an agent went back and forth', () => {
  it('never contain the same entry twice', async () => {
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
  it('takes the first message that the file has as the original goal', () => {
    const whole = talk(['a', 'b', 'c'].flatMap(toolTurn));
    expect(originalGoal({ ...whole, beginsMidway: true })).toEqual(originalGoal(whole));
    expect(originalGoal(whole)?.entryId).toBe('e1');
  });

  it('does not take a message that the person stopped and replaced as the original goal', () => {
    const goalOf = (...said: readonly Said[]) => originalGoal(talk(...said))?.text;
    const stopped = injected('[Request interrupted by user]');
    expect(goalOf(user('Fix a.'), assistant('I look.'), stopped, user('Fix b.'), assistant('Done.'))).toBe('Fix b.');
    expect(goalOf(user('Fix a.'), stopped, injected('a.ts is open'), user('Fix b.'))).toBe('Fix b.');
    expect(goalOf(user('Fix a.'), user('And b.'), assistant('Done.'))).toBe('Fix a.');
    expect(goalOf(user('Fix a.'), assistant('Done.'), user('Fix b.'), stopped)).toBe('Fix a.');
    expect(goalOf(user('Fix a.'), stopped)).toBe('Fix a.');
  });

  it('leaves the original goal out of the core while nothing is compacted', () => {
    expect(contextOf(talk([agentSummary('Before.')])).messages).toHaveLength(1);
  });
});

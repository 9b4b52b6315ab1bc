import { describe, expect, it } from 'vitest';
import { placeBlocks } from '../../../extension/engine/conversation/projection';
import { rowKeysOf } from '../../../extension/host/view/row-keys';
import { assistant, call, quickLedger, result, talk, user } from '../../builders/conversation';

describe('the rows of messages that would go', () => {
  it('are those of the call for a result, even if the call stays', () => {
    const { entries } = talk(user('fix it'), call('a'), result('a'), assistant('done'));
    const messages = placeBlocks(entries, [], quickLedger());
    const caller = messages.find(({ kind }) => kind === 'tool_call');
    const answer = messages.find(({ role }) => role === 'tool');
    if (!caller || !answer) throw new Error('The sample has no call.');
    expect(rowKeysOf([answer], messages)).toEqual([answer.key, `${caller.key}#a`]);
    expect(rowKeysOf([caller], messages)).toEqual([caller.key, `${caller.key}#a`]);
  });
});

import { describe, expect, it } from 'vitest';
import { changedTokens, unchangedTokens } from '../../../extension/engine/conversation/context';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { call, long, result, talk, user } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';

const work = Array.from({ length: 8 }, (_, at) => [
  call(`c${at}`),
  result(`c${at}`, long(`Part ${at} has lines.`, 60)),
]);
const conversation = talk([user('Port the parts.')], work.flat());

describe('what the provider’s cache keeps of a context', () => {
  it('what the provider’s cache keeps of a context ends at the first message that changed; an unchanged core is not a change', async () => {
    const unknown = { rationale: null, timestamp: '', entryId: null };
    const item = { id: 'i', kind: 'constraint', text: 'Never push.', status: 'active', ...unknown } as const;
    const state = foldJournal([{ kind: 'pin', seq: 1, time: '', item }]);
    const parameters = { cleared: { keepTokens: 500, clearAtLeast: 0 } };
    const { before, after } = await compact(conversation, { strategy: 'cleared', state, parameters });
    const kinds = before.messages.map(({ kind }) => kind);
    expect(kinds.slice(0, 4)).toEqual(['core', 'user', 'tool_call', 'tool_result']);
    const first = before.tokens.ofMessages.slice(0, 3).reduce((sum, each) => sum + each, 0);
    expect(unchangedTokens(before, after)).toBe(before.tokens.derivedSystem + first);
    expect(changedTokens(before, after)).toBe(before.tokens.total - unchangedTokens(before, after));
  });

  it('what the provider’s cache keeps of a context is all of it if only something was added', () => {
    const before = contextOf(talk([user('Port the parts.')], work.slice(0, 4).flat()));
    const after = contextOf(conversation);
    expect(unchangedTokens(before, after)).toBe(before.tokens.total);
    expect(changedTokens(before, after)).toBe(0);
  });
});

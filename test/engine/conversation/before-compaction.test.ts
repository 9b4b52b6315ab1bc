import { describe, expect, it } from 'vitest';
import { entriesBefore } from '../../../extension/engine/conversation/before-compaction';
import { summarised } from '../../builders/agent-compaction';
import { assistant, talk, user } from '../../builders/conversation';

const before = [user('fix it'), assistant('done')];

describe('the entries before a compaction', () => {
  it('the entries before a compaction include the summary, and are the same set while the conversation grows', () => {
    const conversation = summarised(before, 'It was fixed.', [user('and the tests?')]);
    const [compaction] = conversation.agentCompactions;
    if (compaction === undefined) throw new Error('There is no compaction.');
    const ids = entriesBefore(compaction, conversation);
    expect([...ids]).toEqual(conversation.entries.slice(0, 3).map(({ id }) => id));
    const grown = { ...conversation, entries: [...conversation.entries, ...talk(assistant('They pass.')).entries] };
    expect(entriesBefore(compaction, grown)).toBe(ids);
  });

  it('the entries before a compaction change if an entry before it was replaced', () => {
    const conversation = summarised(before, 'It was fixed.', []);
    const [compaction] = conversation.agentCompactions;
    if (compaction === undefined) throw new Error('There is no compaction.');
    const ids = entriesBefore(compaction, conversation);
    const replaced = conversation.entries.map((entry, index) => (index === 1 ? { ...entry, id: 'other' } : entry));
    expect(entriesBefore(compaction, { ...conversation, entries: replaced }).has('other')).toBe(true);
    expect(ids.has('other')).toBe(false);
  });
});
